#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// What is known of a run already when it is followed.
struct KnownOfRun {
  std::int64_t step = -1, event = 0, validation = -1;
};

/// Follows a run that another process trains in `folder`, as if it was trained here: its events go
/// to `observer`, from the runs database and its status, requests made of `control` to the process.
/// Returns or throws at the run's end as run_training; throws Error if the process has died. After
/// `control.request_leave` it throws Error(interrupted), and the run goes on.
RunResult follow_run(const std::filesystem::path& folder, const KnownOfRun& known,
                     RunControl& control, RunObserver& observer);

}  // namespace mantissa
