#pragma once
// Replays a run's own trace with this version of the program.

#include <filesystem>
#include <string>

#include "engine/run/first_steps_comparison.h"
#include "engine/run/run.h"
#include "engine/run/run_control.h"

namespace mantissa {

/// A run's first steps as recorded and as this version takes them.
struct VerifyReport {
  std::string run_id;
  std::filesystem::path folder;
  FirstSteps then, now;
  FirstStepsComparison comparison;
};

/// Takes the first steps of a run again, on `device` if given, else on that of the run. Changes
/// neither the run's folder nor the database; encodings of images that the cache lacks are added to
/// it. `run`: as RunFolder::open. `observer` receives progress. Throws Error if the run has no
/// trace or a damaged one, if an input has changed or is missing, as run_training does for what
/// can't be trained, and Error(interrupted) after a stop.
VerifyReport verify_run(const std::filesystem::path& run, const std::string& device,
                        RunControl& control, RunObserver& observer);

}  // namespace mantissa
