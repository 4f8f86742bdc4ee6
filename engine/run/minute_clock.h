#pragma once

#include <chrono>

namespace mantissa {

/// Time of training since something was last done.
class MinuteClock {
 public:
  /// From now on.
  void start() { since_ = Clock::now(); }
  /// Excludes a pause.
  void leave_out(std::chrono::steady_clock::duration pause) { since_ += pause; }
  /// Whether so many minutes have passed; never with 0.
  bool passed(double minutes) const {
    const std::chrono::duration<double, std::ratio<60>> passed = Clock::now() - since_;
    return minutes > 0 && passed.count() >= minutes;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
};

}  // namespace mantissa
