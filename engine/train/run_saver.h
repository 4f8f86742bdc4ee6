#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/minute_clock.h"
#include "engine/run/run_home.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/result_writer.h"
#include "engine/train/run_start.h"

namespace mantissa {

/// Saving during a run: checkpoints by output.save_every, save_epochs and save_minutes, the result
/// at the end. Waits if a disk is full (RunLog::keep). Of several processes only the writer does
/// anything.
class RunSaver {
 public:
  RunSaver(const RunParts& parts, TrainingState& state, RunHome& home, RunStart& start)
      : parts_(parts), state_(state), home_(home), start_(start), writer_(parts, state) {}

  /// Call it when the first step begins: minutes count from here, later from each checkpoint.
  void start_clock() { unsaved_.start(); }
  /// Excludes a pause.
  void leave_out(std::chrono::steady_clock::duration pause) { unsaved_.leave_out(pause); }
  /// By steps, epochs or minutes.
  bool is_due() const;

  /// Saves a checkpoint of the current state and prunes older ones by output.keep.
  void save();
  /// Saves the result under the run's name in its folder.
  std::filesystem::path save_result();
  /// For a stop without room for a checkpoint: saves the result alone, which is smaller.
  void save_result_alone();

 private:
  /// What a run's records say about its result.
  struct Advice {
    std::optional<CheckpointChoice> checkpoint;  ///< to take
    std::optional<Memorising> memorising;        ///< of the last samples
    std::vector<ImageLossRecord> images;         ///< measured one by one
  };
  CheckpointState checkpoint_state();
  /// In the run's folder. Throws InputChanged, and leaves no result, if it may hold something of a
  /// changed file.
  std::filesystem::path write_result(const std::string& name, const Advice& advice);
  /// result.json: what other programs make of a result, by their rules, and the advice.
  void write_stamp(const std::filesystem::path& file, const Advice& advice);
  /// None, and a warning, if the runs database can't be read.
  Advice advice();

  RunParts parts_;
  TrainingState& state_;
  RunHome& home_;
  RunStart& start_;
  ResultWriter writer_;
  MinuteClock unsaved_;
};

}  // namespace mantissa
