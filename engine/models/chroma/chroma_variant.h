#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Flash is distilled to a few steps without guidance; its name alone tells it from HD and Base.
ModelVariant chroma_variant(const WeightSource& source);

}  // namespace mantissa
