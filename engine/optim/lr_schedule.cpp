#include "engine/optim/lr_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mantissa {

double LrSchedule::factor(std::int64_t step) const {
  const std::int64_t warmup = schedule_.warmup_steps;
  if (step < warmup) {
    return static_cast<double>(step + 1) / static_cast<double>(warmup);
  }
  const double span = static_cast<double>(std::max<std::int64_t>(total_ - warmup, 1));
  const double x = std::clamp(static_cast<double>(step - warmup) / span, 0.0, 1.0);
  double decay = 1.0;
  switch (schedule_.type) {
    case ScheduleType::constant:
      return 1.0;
    case ScheduleType::linear:
      decay = 1.0 - x;
      break;
    case ScheduleType::cosine:
      decay = 0.5 * (1.0 + std::cos(std::numbers::pi * x));
      break;
    case ScheduleType::cosine_restarts: {
      constexpr double kCycles = 4;
      const double within = x >= 1.0 ? 1.0 : x * kCycles - std::floor(x * kCycles);
      decay = 0.5 * (1.0 + std::cos(std::numbers::pi * within));
      break;
    }
    case ScheduleType::rex:
      decay = (1.0 - x) / (1.0 - 0.5 * x);
      break;
  }
  return schedule_.min_factor + (1.0 - schedule_.min_factor) * decay;
}

}  // namespace mantissa
