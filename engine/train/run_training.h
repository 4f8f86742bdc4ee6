#pragma once
// The engine's entrance for the command line and the studio.

#include "engine/plan/job.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

class Ranks;

/// Trains to the end, or to a stop; on several cards of JobSpec::device by a thread for each, with
/// the result of one. Throws Error (interrupted, non_finite, …) after saving everything that can be
/// saved, ResumeRefused (run_identity.h) if a run can't be resumed as it is, or RunDeviceLost;
/// classify (run_failure.h) tells all of them.
RunResult run_training(const JobSpec& job, RunControl& control, RunObserver& observer);

/// Trains in `count` threads of this process, each on a card of the job's device, or all on the
/// processor; otherwise as above.
RunResult train_in_threads(const JobSpec& job, RunControl& control, RunObserver& observer,
                           int count);

/// Training by several processes together, each with its own `control`. The result doesn't depend
/// on their number. Only the writer records the run and tells `observer`. Requests to any of them
/// are followed by all; new settings are those of the writer. The caller then tells the others of
/// an exception (Ranks::fail).
RunResult run_training_on_ranks(const JobSpec& job, RunControl& control, RunObserver& observer,
                                Ranks& ranks);

}  // namespace mantissa
