#pragma once

#include <cstdint>
#include <vector>

#include "engine/train/run_parts.h"

namespace mantissa {

/// How fast each process of a run computes its micro-steps, and which one keeps the others waiting.
/// Nothing in a single process.
class RankRates {
 public:
  explicit RankRates(const RunParts& parts) : parts_(parts) {}

  /// This process computed a micro-step.
  void computed(double seconds);
  /// All of them were adding gradients.
  void exchanged(double seconds) { exchanging_ += seconds; }
  /// All together, after each step: now and then names a slow process.
  void end_step(double seconds);
  /// All together, at the end of training: logs the rate of each process.
  void tell();

  /// The process that takes more than a quarter longer than the median of all; none: -1. `seconds`
  /// of a micro-step, by rank.
  static int slow_one(const std::vector<double>& seconds);

 private:
  /// Of all processes, seconds of a micro-step.
  std::vector<double> seconds_of_all();

  RunParts parts_;
  std::int64_t steps_ = 0, micro_steps_ = 0;
  double step_seconds_ = 0, computing_ = 0, exchanging_ = 0;
  bool named_ = false;  ///< a slow process, once
};

}  // namespace mantissa
