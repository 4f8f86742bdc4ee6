#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "engine/run/disk_wait.h"
#include "engine/run/run.h"
#include "engine/run/run_folder.h"
#include "engine/store/checkpoint_choice.h"
#include "engine/store/memorising.h"
#include "engine/store/store.h"

namespace mantissa {

struct PlannedRun;

/// The outputs of a run's messages: the caller's observer, the runs database, and log.txt.
class RunLog {
 public:
  RunLog(RunObserver& observer, RunStore& store, const RunFolder& folder, DiskWait& disk);
  /// The log of a process that doesn't write: records nothing.
  RunLog(RunObserver& observer, DiskWait& disk)
      : observer_(observer), store_(nullptr), disk_(disk) {}
  /// From here on, writes event files below the run's folder too (output.tensorboard).
  void write_event_files() { events_wanted_ = true; }
  void state(RunState state);
  /// Runs `write`; waits if a disk is full (see DiskWait::keep).
  void keep(const std::function<void()>& write);
  /// The run continues in another folder: moves its log and updates the database.
  void move_to(const RunFolder& folder);
  DiskWait& disk() { return disk_; }
  void progress(RunPhase phase, std::int64_t done, std::int64_t total) {
    observer_.on_progress(phase, done, total);
  }
  void line(LogLevel level, const Message& said);
  /// Writes a line about an event that the observer receives by another call.
  void write(LogLevel level, const Message& said);
  /// The last line of a run that doesn't end because of a disk: reported if it can't be written.
  void last_line(LogLevel level, const Message& said);
  /// Records the run's end durably. Throws DiskFull only if the run would otherwise have finished.
  void finish(const std::string& final_state, RunState shown);
  void plan(const PlannedRun& run);
  /// Tells the settings in force from now on, and records them in the database.
  void settings(const Preset& preset);
  void step(const StepRecord& record);
  void health(const HealthRecord& health);
  void non_finite(const NonFiniteReport& report, LogLevel level);
  void validation(const ValidationRecord& row);
  void image_losses(const ImageLossRecord& record);
  void rates(const RunRates& rates);
  /// `said`: its line in the log.
  void pause(const PauseRecord& record, const Message& said);
  void sample(const SampleRecord& record, const SampleDistance& distance);
  void saved(const std::filesystem::path& path, std::int64_t step, bool checkpoint);
  /// Checkpoints that were deleted to make room for newer ones.
  void pruned(const std::vector<std::int64_t>& steps);
  /// Which checkpoint to take, by the validations recorded so far; nothing without any, or if
  /// nothing is recorded. Throws Error if the database can't be read.
  std::optional<CheckpointChoice> suggested_checkpoint();
  /// Whether the last samples so far repeat training images; nothing if they weren't measured.
  /// Throws as above.
  std::optional<Memorising> memorising();
  /// What single training images were measured to do so far. Throws as above.
  std::vector<ImageLossRecord> recorded_image_losses();
  /// Makes all messages so far durable, in log.txt and in the database.
  void sync();
  /// The run continues from `step`, in this process.
  void resumed_at(std::int64_t step);
  bool resumed() const { return resumed_; }

 private:
  void record(const std::function<void()>& queue);
  void keep_log(const std::function<void()>& write);
  /// Appends `record` of a step to the event file, which is begun if there is none yet.
  void event(std::int64_t step, const std::string& record);

  RunObserver& observer_;
  RunStore* store_;  ///< null if nothing is recorded
  DiskWait& disk_;
  std::string id_;
  std::filesystem::path path_;
  std::filesystem::path events_folder_, events_;
  bool events_wanted_ = false;
  bool resumed_ = false;
};

}  // namespace mantissa
