#include "engine/optim/lr_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mantissa {

namespace {

/// Between 1 and 0 over the cycles of a cosine, as wide as `x` says.
double cosine(double x) {
  return 0.5 * (1.0 + std::cos(std::numbers::pi * x));
}

}  // namespace

double LrSchedule::fall(double x) const {
  switch (schedule_.type) {
    case ScheduleType::linear:
      return 1.0 - x;
    case ScheduleType::cosine:
      return cosine(x);
    case ScheduleType::cosine_restarts: {
      const double cycles = x * schedule_.cycles;
      return cosine(x >= 1.0 ? 1.0 : cycles - std::floor(cycles));
    }
    case ScheduleType::cosine_waves:
      return cosine(2 * schedule_.cycles * x);
    case ScheduleType::rex:
      return (1.0 - x) / (1.0 - schedule_.rex_beta * x);
    case ScheduleType::polynomial:
      return std::pow(1.0 - x, schedule_.power);
    case ScheduleType::constant:
    case ScheduleType::inverse_sqrt:
      break;  // never fall to an end
  }
  return 1.0;
}

double LrSchedule::factor(std::int64_t step) const {
  const std::int64_t warmup = schedule_.warmup_steps;
  if (step < warmup) {
    return static_cast<double>(step + 1) / static_cast<double>(warmup);
  }
  if (schedule_.type == ScheduleType::constant) {
    return 1.0;
  }
  if (schedule_.type == ScheduleType::inverse_sqrt) {
    const auto scale = static_cast<double>(schedule_.timescale);
    return 1.0 / std::sqrt((static_cast<double>(step - warmup) + scale) / scale);
  }
  const std::int64_t rest = std::max<std::int64_t>(total_ - warmup, 1);
  const std::int64_t span =
      schedule_.decay_steps > 0 ? std::min(schedule_.decay_steps, rest) : rest;
  const double x = std::clamp(
      static_cast<double>(step - warmup - (rest - span)) / static_cast<double>(span), 0.0, 1.0);
  return schedule_.min_factor + (1.0 - schedule_.min_factor) * fall(x);
}

}  // namespace mantissa
