#pragma once

#include <cstdint>

#include "engine/run/run_parts.h"

namespace mantissa {

/// Tells once when several steps in a row took far longer than they should.
class StepPace {
 public:
  /// `estimate`: seconds of a step; 0: unknown, then the fastest step so far is the measure.
  explicit StepPace(double estimate) : estimate_(estimate) {}
  /// Whether the steps have been too slow since, and this is the first time that it can be said.
  bool is_lost(double seconds);
  /// What a step should take.
  double expected() const { return estimate_ > 0 ? estimate_ : fastest_; }

 private:
  double estimate_, fastest_ = 0;
  int slow_in_row_ = 0;
};

/// Notices a card whose memory the system moves to the computer's, as Windows does where others
/// would refuse it: nothing fails, and steps take many times as long.
class PagingWatch {
 public:
  explicit PagingWatch(const RunParts& parts);
  /// After each step. Asks the driver only where steps are slow.
  void add(double seconds);

 private:
  void tell(double seconds, const DeviceMemory& memory);

  RunParts parts_;
  StepPace pace_;
  bool told_ = false;
};

}  // namespace mantissa
