#pragma once

#include "engine/run/followed_run.h"
#include "engine/run/run_launch.h"

namespace mantissa::gui {

/// Trains `job` as run_training does, but by the program `mantissa` as a process of its own, which
/// goes on after RunControl::request_leave, and when this program ends in any way.
RunResult train_apart(const JobSpec& job, RunControl& control, RunObserver& observer);

/// Follows such a run to its end, also one that an earlier start of this program has started.
RunResult follow_apart(const RunLaunch& launch, const KnownOfRun& known, RunControl& control,
                       RunObserver& observer);

}  // namespace mantissa::gui
