#pragma once
// What a run and a replay of its first steps do alike.

#include "engine/plan/planned_run.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_home.h"
#include "engine/run/run_log.h"
#include "engine/train/train.h"

namespace mantissa {

/// The run as far as it is known before its folder exists. Throws Error for inputs that are missing
/// and precisions that are refused.
PlannedRun open_checked(const JobSpec& job, const Ranks& ranks);

/// As `train`. If this process's device fails, the error names it and a setting to change.
RunResult train_on_device(PlannedRun opened, const JobSpec& job, RunHome& home, RunControl& control,
                          RunLog& log, Ranks& ranks, FirstStepsReplay* replay = nullptr);

}  // namespace mantissa
