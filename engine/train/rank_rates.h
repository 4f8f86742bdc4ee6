#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/run/run_parts.h"

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
  /// All together, after each step: now and then logs the rate of each process, and names a slow
  /// one.
  void end_step(const StepRecord& step);
  /// All together, at the end of training: logs the rate of each process.
  void tell();

  /// The process that takes more than a quarter longer than the median of all; none: -1. `seconds`
  /// of a micro-step, by rank.
  static int slow_one(const std::vector<double>& seconds);

 private:
  /// What this process measured over some steps.
  struct Measured {
    std::int64_t steps = 0, micro_steps = 0;
    double step_seconds = 0, computing = 0;
    /// Seconds of a micro-step; 0 if there was none.
    double each() const {
      return micro_steps > 0 ? computing / static_cast<double>(micro_steps) : 0;
    }
  };
  void name_slow_one(const std::vector<double>& seconds);
  void note_rates(std::int64_t step, int slow);

  RunParts parts_;
  Measured all_, recent_;  ///< since the beginning, and since the last check
  double exchanging_ = 0;
  bool named_ = false;  ///< a slow process, once
  std::optional<std::chrono::steady_clock::time_point> noted_;
};

}  // namespace mantissa
