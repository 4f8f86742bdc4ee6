#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Turbo, distilled to 8 steps, by what the model is called; nothing else tells it from the base
/// model. Empty if its name doesn't say it.
ModelVariant ernie_image_variant(const WeightSource& source);

}  // namespace mantissa
