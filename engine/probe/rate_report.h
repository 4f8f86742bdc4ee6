#pragma once
// What the learning-rate range test measured, and the conclusions from it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

struct RateTestOptions {
  std::int64_t steps = 100;
  double from = 1e-7, to = 1e-1;  ///< learning rates of the first and the last step
};
constexpr std::int64_t kLeastRateSteps = 20, kMostRateSteps = 10'000;

/// One step of the test.
struct RatePoint {
  double rate = 0;        ///< of the preset's optimizer
  double loss = 0;        ///< before the step's update; NaN: not finite
  double start_loss = 0;  ///< of the same images, timesteps and noise with the weights of the start
  double smoothed = 0;    ///< start loss of all plus the smoothed change of this step's
};

struct RateTest {
  std::vector<RatePoint> points;       ///< up to the last step taken
  double start_loss = 0;               ///< mean over the points
  std::optional<double> diverged;      ///< the rate at which the loss diverged and the test ended
  std::optional<double> lowest;        ///< the rate of the lowest smoothed loss
  std::optional<double> steepest;      ///< and of the steepest fall before it
  std::optional<double> suggestion{};  ///< none: the curve supports none
  Message verdict;                     ///< what the curve says, and what to do if it says nothing
  std::string fix_json = "{}";         ///< preset patch: the suggested rate
};

}  // namespace mantissa
