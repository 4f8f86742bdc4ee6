#include "engine/models/ernie_image/ernie_image_names.h"

#include <array>

#include "engine/models/ernie_image/ernie_image_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

constexpr std::array kErnieImageMarks{kErnieImageMark};
constexpr std::array kErnieImagePrefixes{kErnieImagePrefix};
constexpr std::array kErnieImageTextPrefixes{kErnieImageTextPrefix};
constexpr std::array kErnieImageVaePrefixes{kErnieImageVaePrefix};

}  // namespace

constinit const TransformerNaming kErnieImageNaming{.mark = kErnieImageMark,
                                                    .original_marks = kErnieImageMarks,
                                                    .prefixes = kErnieImagePrefixes,
                                                    .to_diffusers = ernie_image_to_diffusers,
                                                    .to_original = ernie_image_to_original,
                                                    .original_path = ernie_image_path,
                                                    .te1 = ministral3_weight,
                                                    .te1_prefixes = kErnieImageTextPrefixes,
                                                    .vae = &kFlux2VaeNaming,
                                                    .vae_prefixes = kErnieImageVaePrefixes};

}  // namespace mantissa
