#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// The setting of model_index.json with the levels of Turbo's samples (FlowConfig::sampling_grid).
inline constexpr const char* kQwenImage21Grid = "sample_sigmas";

/// Turbo has such levels, or says so in its name. Every other model is distilled as well, for
/// samples without guidance; none with guidance has been published.
ModelVariant qwen_image21_variant(const WeightSource& source);

}  // namespace mantissa
