#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"
#include "engine/train/run_home.h"
#include "engine/train/run_identity.h"
#include "engine/train/run_parts.h"
#include "engine/train/training_state.h"

namespace mantissa {

/// How a run begins: at step 0, or where its newest intact checkpoint left it.
class RunStart {
 public:
  /// Looks for that checkpoint where the job is to resume; before anything is opened. Throws
  /// ResumeRefused where all are damaged, Error where --start-over doesn't apply.
  RunStart(const JobSpec& job, RunHome& home, RunLog& log);
  RunStart(const RunStart&) = delete;
  RunStart& operator=(const RunStart&) = delete;

  /// Whether there is a checkpoint to go on from.
  bool continues() const { return checkpoint_.has_value(); }
  /// Identifies what the run is made of, once its images are known. Throws ResumeRefused where that
  /// isn't what the checkpoint was made of.
  void check_identity(const PlannedRun& run, const Progress& progress);
  /// Puts `state` where the run begins. Throws Error naming the checkpoint where the two don't fit.
  void begin(const RunParts& parts, TrainingState& state);

  /// What the run is made of.
  const RunIdentity& identity() const { return identity_; }
  /// Changes of it that were accepted since the run began.
  const std::vector<std::string>& accepted() const { return accepted_; }

 private:
  void find_checkpoint();
  void begin_again();
  void restore(const RunParts& parts, TrainingState& state);

  const JobSpec& job_;
  RunHome& home_;
  RunLog& log_;
  std::optional<std::filesystem::path> checkpoint_;
  RunIdentity identity_;
  std::vector<std::string> accepted_;
};

}  // namespace mantissa
