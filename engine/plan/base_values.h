#pragma once
// What only the values of a base model tell, read before anything is trained: one weight at a time.

#include <cstdint>

#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"

namespace mantissa {

/// Reads every weight that the run loads, as loading does. Throws the Error that loading would:
/// values that are NaN or infinite, or that their type in memory can't hold. Holds one weight at a
/// time; progress in phase "loading", by weights.
void require_loadable(const PlannedRun& run, const Progress& progress);

/// Number of zero-norm channels over all DoRA adapters of the run, which stay plain LoRA (finding
/// D1); 0 without DoRA.
std::int64_t empty_dora_channels(const PlannedRun& run);

}  // namespace mantissa
