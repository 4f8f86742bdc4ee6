#pragma once
// Settings and data that training against the base model's own predictions needs.

#include "engine/data/dataset.h"
#include "engine/plan/job.h"

namespace mantissa {

/// Throws Error if a setting leaves no base model to compare with, if a word or a prompt is
/// missing, or if a job whose images the base model makes has what is for training on images.
void check_base_targets(const JobSpec& job);
/// Throws Error for an adapter whose negative weight isn't the opposite of its positive one.
void require_opposite(const Preset& preset);
/// Throws Error if no caption is left on which the base model's prediction can be preserved.
void require_preserved_captions(const Preset& preset, const Dataset& dataset);

}  // namespace mantissa
