#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/programs/step_program.h"
#include "engine/train/run_parts.h"
#include "engine/train/training_state.h"

namespace mantissa {

/// The loss on the images that are never trained on, always at the same noise. Changes nothing of
/// the training.
class Validation {
 public:
  Validation(const RunParts& parts, const TrainingState& state) : parts_(parts), state_(state) {}

  /// Records the programs of all validation images, so that no look at them waits for it.
  void prepare();
  /// Once a step, and where there are such images; ends early, without a record, where the run is
  /// to stop.
  void run();

 private:
  StepProgram& program(const StepShape& shape);

  RunParts parts_;
  const TrainingState& state_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
  std::int64_t done_at_ = -1;  ///< step
};

}  // namespace mantissa
