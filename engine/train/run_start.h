#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/progress.h"
#include "engine/plan/planned_run.h"
#include "engine/preset/preset_io.h"
#include "engine/run/file_hashing.h"
#include "engine/run/run_home.h"
#include "engine/run/run_identity.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/run/watched_files.h"
#include "engine/train/resume_check.h"

namespace mantissa {

/// The start of a run: at step 0, or at its newest intact checkpoint.
class RunStart {
 public:
  /// Finds that checkpoint if the job resumes; before anything is opened. Throws ResumeRefused if
  /// all are damaged, Error if --start-over doesn't apply.
  RunStart(const JobSpec& job, RunHome& home, RunLog& log);
  RunStart(const RunStart&) = delete;
  RunStart& operator=(const RunStart&) = delete;

  /// Whether there is a checkpoint to resume from.
  bool continues() const { return checkpoint_.has_value(); }
  /// False if that checkpoint is older than stacked adapters (CheckpointState::stacked_adapters).
  bool stacks_adapters() const { return stacks_adapters_; }
  /// Identifies the run's inputs, once its images are known. Throws ResumeRefused if they differ
  /// from the checkpoint's, or from those that a run without one began with, Error if the run is to
  /// have fewer steps than it has. A new run has nothing to compare: unless `hashed_at_once`, its
  /// files are only listed.
  void check_identity(const PlannedRun& run, bool hashed_at_once, const Progress& progress);
  /// Hashes what is only listed beside the first steps: reading a large base model takes longer
  /// than encoding a small data set.
  void hash_meanwhile();
  /// Called at every step: throws Error naming a file that couldn't be read and, every second,
  /// as require_unchanged_files. Records the inputs of a run without a checkpoint once all are
  /// hashed.
  void notice_changed_files();
  /// Called before anything is kept that was made from the run's files. Throws InputChanged naming
  /// one that is no longer what the run opened.
  void require_unchanged_files() { watched_.require_unchanged(); }
  /// Sets `state` to the run's start. Throws Error naming the checkpoint if the two don't match.
  void begin(const RunParts& parts, TrainingState& state);

  /// The step that it resumes after; 0: it begins.
  std::int64_t step() const;
  /// The settings that it goes on with in place of those that it had at that step: given with the
  /// resume, or changed in steps that are taken again.
  std::vector<PresetChange> changed_settings() const;
  /// Whether the hashes of the run's inputs are there.
  bool is_identified() const { return listed_.empty() && (!hashing_ || hashing_->done()); }
  /// The run's inputs; waits for their hashes. Throws as notice_changed_files.
  const RunIdentity& identity();
  /// Changes of them accepted since the run began.
  const std::vector<std::string>& accepted() const { return accepted_; }

 private:
  void find_checkpoint();
  ResumeNotice logged() const;
  void begin_again();
  /// Writes what is known of the inputs into the run's folder, unless it is there or a checkpoint
  /// has it.
  void record_inputs();
  void restore(const RunParts& parts, TrainingState& state);
  /// Checks the checkpoint after it was read: throws InputChanged if it isn't the one verified.
  void require_unchanged_checkpoint();

  const JobSpec& job_;
  RunHome& home_;
  RunLog& log_;
  std::optional<std::filesystem::path> checkpoint_;
  std::vector<std::pair<std::filesystem::path, FileStamp>> saved_files_;  ///< before verification
  std::optional<BegunInputs> begun_;  ///< of a resumed run without a checkpoint
  std::filesystem::path recorded_;    ///< the file that holds this run's inputs
  bool recorded_whole_ = false;
  bool stacks_adapters_ = true;
  std::vector<ListedFile> listed_;  ///< not hashed yet
  WatchedFiles watched_;
  std::chrono::steady_clock::time_point looked_;  ///< at the files, last
  std::unique_ptr<FileHashing> hashing_;
  RunIdentity identity_;
  std::vector<std::string> accepted_;
};

}  // namespace mantissa
