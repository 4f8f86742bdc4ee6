#include "engine/plan/run_length.h"

#include <cmath>

namespace mantissa {

double RunLength::epochs_after(std::int64_t step) const {
  return batches_per_epoch == 0 ? 0
                                : static_cast<double>(step * batches_per_step) /
                                      static_cast<double>(batches_per_epoch);
}

bool RunLength::ends_epochs(std::int64_t step, std::int64_t every) const {
  if (every <= 0 || batches_per_epoch == 0 || step < 1) {
    return false;
  }
  const std::int64_t batches = every * batches_per_epoch;
  return step * batches_per_step / batches > (step - 1) * batches_per_step / batches;
}

RunLength run_length(const Preset& preset, std::int64_t batches_per_epoch) {
  const Preset::Training& training = preset.training;
  RunLength length{training.steps, batches_per_epoch, training.gradient_accumulation};
  if (training.epochs > 0) {
    const std::int64_t batches = training.epochs * batches_per_epoch;
    length.steps = (batches + length.batches_per_step - 1) / length.batches_per_step;
  }
  return length;
}

Preset no_shorter_than(std::int64_t done, Preset preset, const RunLength& length) {
  if (length.steps == 0 || length.steps >= done) {
    return preset;
  }
  if (preset.training.epochs > 0) {
    preset.training.epochs = static_cast<int>(std::ceil(length.epochs_after(done)));
  } else {
    preset.training.steps = done;
  }
  return preset;
}

}  // namespace mantissa
