#pragma once
// Whether a planned run fits its devices and its disks, and what would make it fit.

#include <memory>
#include <vector>

#include "engine/plan/planned_run.h"
#include "engine/preflight/job_problems.h"

namespace mantissa {

/// Refuses a run that one device has no memory for. `seeks_options`: with changes of its settings
/// that make it fit, each of them planned.
void check_memory(const PlannedRun& run, Kernels& kernels, const PlanReport& report,
                  bool seeks_options, JobProblems& problems);

/// Plans the split over the cards that share the layers, and reports its memory in `report`.
void check_split(PlannedRun& run, const std::vector<std::unique_ptr<Kernels>>& backends,
                 PlanReport& report, JobProblems& problems);

/// Where one card has too little memory and the machine has several: how they would share the
/// layers.
void tell_split(const PlannedRun& run, Kernels& kernels, const PlanReport& report,
                JobProblems& problems);

/// Warns of a disk without room for checkpoints or the cache.
void check_disk(const JobSpec& job, const PlanReport& report, JobProblems& problems);

}  // namespace mantissa
