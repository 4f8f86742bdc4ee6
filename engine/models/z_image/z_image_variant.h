#pragma once

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Z-Image or Z-Image Turbo, by what the model is called, else by its scheduler's shift, which is 6
/// and 3 in the released ones. Empty without either. Turbo models whose distillation was undone
/// ("De-Turbo") count as neither.
ModelVariant z_image_variant(const WeightSource& source);

}  // namespace mantissa
