#include "engine/train/transaction.h"

#include <algorithm>
#include <cmath>

namespace mantissa {

StepOutcome StepTransaction::run(double max_norm, double lr_factor) {
  StepOutcome outcome;
  const double inverse = scaler_.inverse();
  double sum = 0;
  bool any_non_finite = false;
  for (const OptimizerPart& group : groups_) {
    // The sum shows any NaN or infinity among the gradients: it is taken in fp64 and can't
    // overflow.
    const double squares = kernels_.sum_of_squares(group.gradients) * inverse * inverse;
    outcome.group_norms.push_back(std::sqrt(squares));
    outcome.group_non_finite.push_back(!std::isfinite(squares));
    any_non_finite = any_non_finite || !std::isfinite(squares);
    sum += squares;
  }
  outcome.grad_norm = std::sqrt(sum);
  outcome.skipped = any_non_finite;
  if (max_norm > 0 && !any_non_finite) {
    outcome.clip_factor = std::min(1.0, max_norm / (outcome.grad_norm + 1e-6));
    outcome.clipped = outcome.clip_factor < 1.0;
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    OptimizerPart& group = groups_[i];
    if (outcome.group_non_finite[i] || (any_non_finite && max_norm > 0)) {
      continue;
    }
    group.optimizer->step(group.parameters, group.gradients, group.learning_rate * lr_factor,
                          inverse * outcome.clip_factor);
    outcome.stepped = true;
  }
  scaler_.update(any_non_finite);
  return outcome;
}

}  // namespace mantissa
