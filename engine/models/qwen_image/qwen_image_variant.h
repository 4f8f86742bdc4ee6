#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// 2512 and the first model have the same network, and neither is distilled. Lightning, which its
/// name tells, is Qwen-Image with an adapter for a few steps merged into it.
ModelVariant qwen_image_variant(const WeightSource& source);

}  // namespace mantissa
