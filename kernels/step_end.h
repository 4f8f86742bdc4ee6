#pragma once
// The end of a training step, the same on the host and on a device.
//
// A step's verdict, clip factor and loss scale are decided where the gradients are, and the update
// reads them there, so that there is no host sync between backward and update.

#include <cmath>
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/view.h"

namespace mantissa {

/// How a dynamic loss scale changes (torch.amp.GradScaler): doubles after 2000 clean steps, halves
/// on an overflow, between 1 and 2^24.
struct LossScaleRule {
  static constexpr double kInitial = 65536, kGrowth = 2, kBackoff = 0.5, kFloor = 1,
                          kCeiling = 16777216, kInterval = 2000;
};

/// `scale` and the `clean` steps since it changed, after a step.
MANTISSA_HD inline void next_loss_scale(bool overflow, double& scale, double& clean) {
  using Rule = LossScaleRule;
  if (overflow) {
    const double less = scale * Rule::kBackoff;
    scale = less < Rule::kFloor ? double{Rule::kFloor} : less;
    clean = 0;
  } else if (clean + 1 == Rule::kInterval) {
    const double more = scale * Rule::kGrowth;
    scale = more > Rule::kCeiling ? double{Rule::kCeiling} : more;
    clean = 0;
  } else {
    clean += 1;
  }
}

/// Values of the whole step. All numbers are fp64, so that a View can hold them.
struct StepCell {
  // set by the host before the step
  double scale = 1;     ///< of the loss
  double clean = 0;     ///< steps since it changed
  double dynamic = 0;   ///< not 0: dynamic scaling
  double max_norm = 0;  ///< 0: no clipping
  // set by decide
  double grad_norm = 0;    ///< over all groups, unscaled, before clipping
  double clip_factor = 1;  ///< below 1 where it was clipped
  double skipped = 0;      ///< not 0: a group had a NaN or Inf gradient
  double loss_finite = 1;  ///< 0: nothing is updated and the scale stays
};

/// Values of one optimizer group.
struct GroupCell {
  // set by the host before the step, for the update this step would be
  double learning_rate = 0;                 ///< a tensor multiplies it by its rate_ratio
  double correction1 = 1, correction2 = 1;  ///< 1 - βᵗ, for rules with a bias correction
  double averaging = 0;  ///< of this update: Adafactor's beta2, schedule-free's weight of z
  double update = 0;     ///< its number: the step of its random bits
  // set by decide
  double steps = 0;       ///< not 0: the group is updated
  double grad_scale = 1;  ///< multiplies each gradient: unscale and clip
  double norm = 0;        ///< unscaled, before clipping; Σ x² of the scaled ones before `decide`
};

inline constexpr int kCellNumbers = 8;
static_assert(sizeof(StepCell) == kCellNumbers * sizeof(double) &&
              sizeof(GroupCell) == kCellNumbers * sizeof(double));

/// The cells of a step with `groups` groups: the StepCell, then each GroupCell.
inline Shape cells_shape(std::size_t groups) {
  return {1 + static_cast<std::int64_t>(groups), kCellNumbers};
}
inline StepCell* step_cell(const View& cells) {
  return static_cast<StepCell*>(cells.data);
}
inline GroupCell* group_cells(const View& cells) {
  return reinterpret_cast<GroupCell*>(step_cell(cells) + 1);
}

/// A product rounded on its own, never contracted into an fma.
MANTISSA_HD inline double rounded_product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// The only correct order: unscale all -> norms -> verdict -> clip -> the scale, once. With
/// clipping, one group with NaN or Inf skips all, because the norm is shared.
MANTISSA_HD inline void decide(StepCell& step, GroupCell* groups, int count) {
  const double inverse = static_cast<float>(1.0 / step.scale);
  double sum = 0;
  bool skipped = false;
  for (int i = 0; i < count; ++i) {
    const double squares = rounded_product(rounded_product(groups[i].norm, inverse), inverse);
    groups[i].norm = std::sqrt(squares);
    groups[i].steps = std::isfinite(squares) ? 1 : 0;
    skipped = skipped || !std::isfinite(squares);
    sum += squares;
  }
  step.grad_norm = std::sqrt(sum);
  step.skipped = skipped ? 1 : 0;
  step.clip_factor = 1;
  if (step.max_norm > 0 && !skipped) {
    const double factor = step.max_norm / (step.grad_norm + 1e-6);
    step.clip_factor = factor < 1.0 ? factor : 1.0;
  }
  for (int i = 0; i < count; ++i) {
    groups[i].grad_scale = rounded_product(inverse, step.clip_factor);
    if (step.loss_finite == 0 || (skipped && step.max_norm > 0)) {
      groups[i].steps = 0;
    }
  }
  if (step.dynamic != 0 && step.loss_finite != 0) {
    next_loss_scale(skipped, step.scale, step.clean);
  }
}

/// `decide` over cells in host memory, compiled once: no instruction set contracts a product and a
/// sum.
void decide_on_host(const View& cells);

}  // namespace mantissa
