#include "engine/models/flux3/flux3_names.h"

#include <array>

#include "engine/models/flux3/flux3_keys.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace {

constexpr std::array kFlux3OriginalMarks{kFlux3OriginalMark};
constexpr std::array kFlux3Prefixes{kFlux3Prefix};
constexpr std::array kFlux3TextPrefixes{kFlux3TextPrefix};
constexpr std::array kFlux3VaePrefixes{kFlux3VaePrefix};

}  // namespace

constinit const TransformerNaming kFlux3Naming{.mark = kFlux3Mark,
                                               .original_marks = kFlux3OriginalMarks,
                                               .prefixes = kFlux3Prefixes,
                                               .to_diffusers = flux3_to_diffusers,
                                               .to_original = flux3_to_original,
                                               .original_path = flux3_original_path,
                                               .te1 = qwen3_weight,
                                               .te1_prefixes = kFlux3TextPrefixes,
                                               .vae = &kFlux2VaeNaming,
                                               .vae_prefixes = kFlux3VaePrefixes};

}  // namespace mantissa
