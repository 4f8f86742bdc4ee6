#pragma once
// A whole plan, from the steps of planned_run.h.

#include <span>

#include "engine/plan/fit_options.h"
#include "engine/plan/planned_run.h"
#include "kernels/kernels.h"

namespace mantissa {

/// All of a run to be trained on `kernels`, its device: `opened` by open_run, then scanned, then
/// its memory planned, with events to `observer`. Throws Error as require_memory does.
PlannedRun plan_run(PlannedRun opened, Kernels& kernels, PlanObserver& observer);
/// Plans a run on several devices, one for each of JobSpec::split.
PlannedRun plan_run(PlannedRun opened, std::span<Kernels* const> devices, PlanObserver& observer);

/// Plans the memory of an opened run, scanned or not, and reports all of it: precision, memory,
/// modules, findings, disk. Trusts headers of cached encodings.
PlanReport planned_report(PlannedRun& run, Kernels& kernels);

/// Estimated seconds of the largest step of a run whose memory is planned; 0 where streaming's
/// copies or other cards' shares would be missing, of a card that isn't known, and of a VAE's step.
double estimated_step(const PlannedRun& run, const Kernels& kernels);
/// Peak and step of planned_with.
RunNeeds needs_with(const PlannedRun& run, Kernels& kernels, const Preset& preset);
/// Throws Error(out_of_memory), with changes that would make it fit, if `run`'s memory, as planned,
/// isn't there.
void require_memory(const PlannedRun& run, Kernels& kernels);

/// The report on a job, which is opened and scanned first; see preflight for one that may have
/// problems. Throws Error as open_run and scan_images do.
PlanReport plan_training(const JobSpec& job);

}  // namespace mantissa
