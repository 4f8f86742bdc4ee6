#pragma once

#include <optional>

#include "engine/io/weights.h"
#include "engine/plan/plan_report.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The refusal of a part that can't be trained in full: a T5, whose relative position bias gets no
/// gradient. Nothing if the preset trains none.
std::optional<Finding> untrainable_part(const WeightSource& source, const Preset& preset);

}  // namespace mantissa
