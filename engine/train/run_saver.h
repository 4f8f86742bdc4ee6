#pragma once

#include <chrono>
#include <filesystem>

#include "engine/train/result_writer.h"
#include "engine/train/run_home.h"
#include "engine/train/run_parts.h"
#include "engine/train/run_start.h"
#include "engine/train/training_state.h"

namespace mantissa {

/// What a run keeps and when: checkpoints as output.save_every and save_minutes say, its result at
/// the end. Waits where a disk is full (RunLog::keep).
class RunSaver {
 public:
  RunSaver(const RunParts& parts, TrainingState& state, RunHome& home, const RunStart& start)
      : parts_(parts), state_(state), home_(home), start_(start), writer_(parts, state) {}

  /// When the first step begins: minutes count from here, and then from each checkpoint.
  void start_clock() { saved_at_ = std::chrono::steady_clock::now(); }
  /// A pause, which does not count.
  void leave_out(std::chrono::steady_clock::duration pause) { saved_at_ += pause; }
  /// By steps or by minutes.
  bool is_due() const;

  /// A checkpoint of the state as it is. Older ones go as output.keep says.
  void save();
  /// The result under the name of the run, in its folder.
  std::filesystem::path save_result();
  /// For a stop where there is no room for a checkpoint: its result alone takes a part of that.
  void save_result_alone();

 private:
  CheckpointState checkpoint_state() const;

  RunParts parts_;
  TrainingState& state_;
  RunHome& home_;
  const RunStart& start_;
  ResultWriter writer_;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace mantissa
