#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// dev takes a guidance scale; a model without one is schnell, distilled to 4 steps, unless its
/// name says that this was undone.
ModelVariant flux1_variant(const WeightSource& source);

}  // namespace mantissa
