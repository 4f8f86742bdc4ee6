#pragma once

#include <cstdint>

#include "engine/run/run_parts.h"
#include "engine/run/training_state.h"
#include "engine/train/fixed_losses.h"

namespace mantissa {

/// The loss on validation images, always with the same noise. Doesn't affect training.
class Validation {
 public:
  /// `losses` must outlive this.
  Validation(const RunParts& parts, TrainingState& state, FixedLosses& losses)
      : parts_(parts), state_(state), losses_(losses) {}

  bool has_images() const;
  /// Once per step, if there are such images; ends early, without a record, if the run is to stop.
  void run();

 private:
  /// Validates all images, unless the run is to stop.
  void run_images(std::int64_t images);

  RunParts parts_;
  TrainingState& state_;
  FixedLosses& losses_;
  std::int64_t done_at_ = -1;  ///< step
};

}  // namespace mantissa
