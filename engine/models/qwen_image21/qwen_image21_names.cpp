#include "engine/models/qwen_image21/qwen_image21_names.h"

#include <array>

#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen_image21/qwen_image21_keys.h"

namespace mantissa {

namespace {

constexpr std::array kQwenImage21OriginalMarks{kQwenImage21OriginalMark};
constexpr std::array kQwenImage21Prefixes{kQwenImage21Prefix};
constexpr std::array kQwenImage21TextPrefixes{kQwenImage21TextPrefix};
constexpr std::array kQwenImage21VaePrefixes{kQwenImage21VaePrefix};

}  // namespace

constinit const TransformerNaming kQwenImage21Naming{.mark = kQwenImage21Mark,
                                                     .original_marks = kQwenImage21OriginalMarks,
                                                     .prefixes = kQwenImage21Prefixes,
                                                     .to_diffusers = qwen_image21_to_diffusers,
                                                     .to_original = qwen_image21_to_original,
                                                     .original_path = qwen_image21_original_path,
                                                     .fused_path = qwen_image21_fused_path,
                                                     .te1 = qwen3_vl_weight,
                                                     .te1_prefixes = kQwenImage21TextPrefixes,
                                                     .vae = &kQwenImage21VaeNaming,
                                                     .vae_prefixes = kQwenImage21VaePrefixes};

}  // namespace mantissa
