#include "engine/precision/loss_scaler.h"

#include "engine/precision/dtypes.h"

namespace mantissa {

LossScaler::LossScaler(const LossScaling& setting, ComputeType compute, MasterType gradients) {
  using Mode = LossScaling::Mode;
  dynamic_ = setting.mode == Mode::dynamic ||
             (setting.mode == Mode::automatic && gradients_in_fp16(compute, gradients));
  if (setting.mode == Mode::fixed) {
    scale_ = setting.value;
  } else if (dynamic_) {
    scale_ = LossScaleRule::kInitial;
  }
}

void LossScaler::update(bool found_non_finite) {
  if (!dynamic_) {
    return;
  }
  auto clean = static_cast<double>(clean_);
  next_loss_scale(found_non_finite, scale_, clean);
  clean_ = static_cast<std::int64_t>(clean);
}

void LossScaler::restore(double scale, std::int64_t growth_counter) {
  scale_ = scale;
  clean_ = growth_counter;
}

}  // namespace mantissa
