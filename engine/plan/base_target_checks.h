#pragma once
// Settings and data that training against the base model's own predictions needs.

#include "engine/plan/planned_run.h"

namespace mantissa {

/// Throws Error if a setting leaves no base model to compare with, or if a word is missing.
void check_base_targets(const Preset& preset);
/// Throws Error if no caption is left on which the base model's prediction can be preserved.
void require_preserved_captions(const Preset& preset, const Dataset& dataset);

}  // namespace mantissa
