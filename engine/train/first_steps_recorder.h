#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/run/first_steps.h"
#include "engine/run/run_home.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/run_start.h"

namespace mantissa {

/// Traces a run's first steps, and keeps the trace in its folder.
class FirstStepsRecorder {
 public:
  /// References must outlive this.
  FirstStepsRecorder(const RunParts& parts, const TrainingState& state, const RunHome& home,
                     RunStart& start);

  /// After the optimizer step of `record`: reads the trained tensors if it is one of the first,
  /// else returns at once.
  void add(const StepRecord& record);
  /// No further step belongs to the trace: the settings are no longer those of the job.
  void end() { traces_ = false; }
  /// Writes the trace once it is complete and the inputs are hashed; again if the run moved to
  /// another folder. A trace that can't be written is logged and costs the run nothing else.
  void keep_when_ready();
  /// Writes whatever was traced, otherwise as above; waits for the hashes.
  void keep();
  /// The trace, without the inputs.
  FirstSteps take() { return std::move(trace_); }

 private:
  bool is_complete() const;

  RunParts parts_;
  const RunHome& home_;
  RunStart& start_;
  bool traces_ = false;
  FirstSteps trace_;
  std::string text_;
  std::filesystem::path kept_in_;  ///< the folder that has the trace; empty: none yet
};

}  // namespace mantissa
