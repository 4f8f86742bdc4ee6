#include "engine/models/z_image/z_image_names.h"

#include <array>

#include "engine/models/qwen3/qwen3_keys.h"
#include "engine/models/z_image/z_image_keys.h"

namespace mantissa {

namespace {

constexpr std::array kZImageOriginalMarks{kZImageOriginalMark};
constexpr std::array kZImagePrefixes{kZImagePrefix};
constexpr std::array kZImageTextPrefixes{kZImageTextPrefix};
constexpr std::array kZImageVaePrefixes{kZImageVaePrefix};

}  // namespace

constinit const TransformerNaming kZImageNaming{.mark = kZImageMark,
                                                .original_marks = kZImageOriginalMarks,
                                                .prefixes = kZImagePrefixes,
                                                .to_diffusers = z_image_to_diffusers,
                                                .to_original = z_image_to_original,
                                                .original_path = z_image_original_path,
                                                .fused_path = z_image_fused_path,
                                                .te1 = qwen3_weight,
                                                .te1_prefixes = kZImageTextPrefixes,
                                                .vae = &kKlVaeNaming,
                                                .vae_prefixes = kZImageVaePrefixes};

}  // namespace mantissa
