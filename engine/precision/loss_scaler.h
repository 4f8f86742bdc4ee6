#pragma once

#include <cstdint>

#include "engine/preset/preset.h"
#include "kernels/step_end.h"

namespace mantissa {

/// The factor the loss is multiplied by before backward; a dynamic one starts at 65536 and follows
/// LossScaleRule. Constant during one iteration.
class LossScaler {
 public:
  /// automatic means dynamic where gradients pass through fp16 (compute or accumulation), off
  /// otherwise; fixed is the preset's number, regardless of overflows.
  LossScaler(const LossScaling& setting, ComputeType compute, MasterType gradients);

  double scale() const { return scale_; }
  /// float(1 / double(scale)).
  float inverse() const { return static_cast<float>(1.0 / scale_); }
  bool dynamic() const { return dynamic_; }
  std::int64_t growth_counter() const { return clean_; }

  /// Once per iteration, after every group was updated or skipped.
  void update(bool found_non_finite);
  /// True if the scale can't be reduced after an overflow: it counts as a real non-finite value.
  /// Check before `update`.
  bool at_floor() const { return !dynamic_ || scale_ <= LossScaleRule::kFloor; }
  /// From a checkpoint, or as decided by the device (Kernels::decide_step).
  void restore(double scale, std::int64_t growth_counter);

 private:
  bool dynamic_ = false;
  double scale_ = 1;
  std::int64_t clean_ = 0;
};

}  // namespace mantissa
