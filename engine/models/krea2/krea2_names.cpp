#include "engine/models/krea2/krea2_names.h"

#include <array>

#include "engine/models/krea2/krea2_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

constexpr std::array kKrea2OriginalMarks{kKrea2OriginalMark};
constexpr std::array kKrea2Prefixes{kKrea2Prefix};
constexpr std::array kKrea2TextPrefixes{kKrea2TextPrefix};
constexpr std::array kKrea2VaePrefixes{kKrea2VaePrefix};

}  // namespace

constinit const TransformerNaming kKrea2Naming{.mark = kKrea2Mark,
                                               .original_marks = kKrea2OriginalMarks,
                                               .prefixes = kKrea2Prefixes,
                                               .to_diffusers = krea2_to_diffusers,
                                               .to_original = krea2_to_original,
                                               .original_path = krea2_original_path,
                                               .te1 = qwen3_vl_weight,
                                               .te1_prefixes = kKrea2TextPrefixes,
                                               .vae = &kQwenVaeNaming,
                                               .vae_prefixes = kKrea2VaePrefixes};

}  // namespace mantissa
