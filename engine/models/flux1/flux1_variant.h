#pragma once

#include <string_view>

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// The variant that edits with references.
inline constexpr std::string_view kFlux1Kontext = "Kontext dev";

/// dev takes a guidance scale; a model without one is schnell, distilled to 4 steps, unless its
/// name says that this was undone. Krea dev and Kontext dev take one too, and are told by name.
ModelVariant flux1_variant(const WeightSource& source);

}  // namespace mantissa
