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
  /// Factor of step `step` (0-based): linear warm-up, then the schedule down to min_factor.
  /// rex is (1-x)/(1-x/2) (arXiv 2107.04197); cosine_restarts has four equal cycles.
  double factor(std::int64_t step) const;

 private:
  Preset::Schedule schedule_;
  std::int64_t total_;
};

}  // namespace mantissa
