#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "engine/programs/step_program.h"
#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"

namespace mantissa {

/// The loss on validation images, always with the same noise. Doesn't affect training. Several
/// processes share the images.
class Validation {
 public:
  Validation(const RunParts& parts, TrainingState& state) : parts_(parts), state_(state) {}

  /// Records the programs of all validation images, so that run() doesn't wait for it.
  void prepare();
  bool has_images() const;
  /// Once per step, if there are such images; ends early, without a record, if the run is to stop.
  void run();

 private:
  StepProgram& program(const StepShape& shape);
  /// Validates all images, unless the run is to stop.
  void run_images(std::int64_t images);
  double loss_of(std::int64_t image, std::size_t draw);

  RunParts parts_;
  TrainingState& state_;
  std::map<StepShape, std::unique_ptr<StepProgram>> programs_;
  std::int64_t done_at_ = -1;  ///< step
};

}  // namespace mantissa
