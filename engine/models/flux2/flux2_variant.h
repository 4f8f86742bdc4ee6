#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Base or distilled to 4 steps, by is_distilled of model_index.json, else by what the model is
/// called: "klein", with or without "base". Empty if neither tells.
ModelVariant flux2_variant(const WeightSource& source);

}  // namespace mantissa
