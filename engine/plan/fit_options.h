#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/plan_report.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// One way to make a run fit.
struct FitOption {
  std::string patch_json;  ///< a preset patch, such as {"data.batch_size":1}
  std::uint64_t peak_bytes = 0;
};

/// The peak of a run with another preset.
using PeakFunction = std::function<std::uint64_t(const Preset&)>;

/// Changes that bring the peak down to `free_bytes`, the mildest first, each planned exactly; if
/// none is enough alone, the shortest combination that is. Empty if nothing helps.
std::vector<FitOption> fit_options(const Preset& preset, std::uint64_t free_bytes,
                                   const PeakFunction& peak);

/// Throws Error(out_of_memory) with needed and free bytes if the plan doesn't fit, and the first of
/// `options()`, which does.
void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options);

}  // namespace mantissa
