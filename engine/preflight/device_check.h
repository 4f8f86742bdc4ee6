#pragma once

#include "engine/plan/job.h"
#include "engine/preflight/job_problems.h"

namespace mantissa {

/// How a run uses its devices.
struct DeviceUse {
  std::string device;  ///< of the one process that the plan is for
  int processes = 1;   ///< that train the run, each on a card
};

/// Checks the devices of a job, each of several cards, and what training on all of them takes.
/// `opens_nccl`: looks also for the library that joins cards.
DeviceUse check_devices(const JobSpec& job, bool opens_nccl, JobProblems& problems);

}  // namespace mantissa
