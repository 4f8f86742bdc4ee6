#include "engine/models/qwen_image/qwen_image_names.h"

#include <array>

#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/qwen_image/qwen_image_keys.h"

namespace mantissa {

namespace {

constexpr std::array kQwenImageMarks{kQwenImageMark};
constexpr std::array kQwenImagePrefixes{kQwenImagePrefix};
constexpr std::array kQwenImageTextPrefixes{kQwenImageTextPrefix};
constexpr std::array kQwenImageVaePrefixes{kQwenImageVaePrefix};

}  // namespace

constinit const TransformerNaming kQwenImageNaming{.mark = kQwenImageMark,
                                                   .original_marks = kQwenImageMarks,
                                                   .prefixes = kQwenImagePrefixes,
                                                   .to_diffusers = qwen_image_to_diffusers,
                                                   .to_original = qwen_image_to_original,
                                                   .original_path = qwen_image_path,
                                                   .te1 = qwen3_vl_weight,
                                                   .te1_prefixes = kQwenImageTextPrefixes,
                                                   .vae = &kQwenVaeNaming,
                                                   .vae_prefixes = kQwenImageVaePrefixes};

}  // namespace mantissa
