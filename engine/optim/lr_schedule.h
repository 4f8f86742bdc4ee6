#pragma once

#include <cstdint>

#include "engine/preset/preset.h"

namespace mantissa {

/// Factor on the learning rate by optimizer step. Only steps actually taken count, so the caller
/// passes their number; skipped steps don't advance it.
class LrSchedule {
 public:
  /// `total_steps` is where decay ends.
  LrSchedule(const Preset::Schedule& schedule, std::int64_t total_steps)
      : schedule_(schedule), total_(total_steps) {}
  /// Factor of step `step` (0-based): linear warm-up, then the schedule down to min_factor, over
  /// the last decay_steps if there are any. rex is (1-x)/(1-βx) (arXiv 2107.04197 with β = 1/2);
  /// cosine_restarts has equal cycles; inverse_sqrt is 1/√((s+t)/t), s steps after the warm-up, and
  /// knows no end.
  double factor(std::int64_t step) const;

 private:
  /// From 1 at x = 0, where the rate begins to fall, to the schedule's end at x = 1.
  double fall(double x) const;

  Preset::Schedule schedule_;
  std::int64_t total_;
};

}  // namespace mantissa
