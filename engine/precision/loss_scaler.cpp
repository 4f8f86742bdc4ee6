#include "engine/precision/loss_scaler.h"

#include <algorithm>

namespace mantissa {

LossScaler::LossScaler(const LossScaling& setting, ComputeType compute, MasterType gradients) {
  using Mode = LossScaling::Mode;
  const bool passes_fp16 = compute == ComputeType::fp16 || gradients == MasterType::fp16;
  dynamic_ = setting.mode == Mode::dynamic || (setting.mode == Mode::automatic && passes_fp16);
  if (setting.mode == Mode::fixed) {
    scale_ = setting.value;
  } else if (dynamic_) {
    scale_ = kInitial;
  }
}

void LossScaler::update(bool found_non_finite) {
  if (!dynamic_) {
    return;
  }
  if (found_non_finite) {
    scale_ = std::max(kFloor, scale_ * kBackoff);
    clean_ = 0;
  } else if (++clean_ == kInterval) {
    scale_ = std::min(kCeiling, scale_ * kGrowth);
    clean_ = 0;
  }
}

void LossScaler::restore(double scale, std::int64_t growth_counter) {
  scale_ = scale;
  clean_ = growth_counter;
}

}  // namespace mantissa
