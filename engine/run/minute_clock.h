#pragma once

#include <chrono>

namespace mantissa {

/// Training time since an event.
class MinuteClock {
 public:
  /// Starts again at zero.
  void start() { since_ = Clock::now(); }
  /// Excludes a pause.
  void leave_out(std::chrono::steady_clock::duration pause) { since_ += pause; }
  /// Whether this many minutes have passed; never true for 0.
  bool passed(double minutes) const {
    const std::chrono::duration<double, std::ratio<60>> passed = Clock::now() - since_;
    return minutes > 0 && passed.count() >= minutes;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
};

}  // namespace mantissa
