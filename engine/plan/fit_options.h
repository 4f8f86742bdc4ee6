#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/plan/plan_report.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// What a run needs: bytes of the device at its peak, and the estimated time of a step, 0 if it
/// isn't known.
struct RunNeeds {
  std::uint64_t peak_bytes = 0;
  double step_seconds = 0;
};

/// One way to make a run fit.
struct FitOption {
  std::string patch_json;  ///< a preset patch, such as {"data.batch_size":1}
  RunNeeds needs;          ///< with it
};

/// The needs of a run with another preset.
using NeedsFunction = std::function<RunNeeds(const Preset&)>;

/// Changes that bring the peak down to `free_bytes`, the mildest first, each planned exactly; if
/// none is enough alone, the shortest combination that is. Empty if nothing helps.
std::vector<FitOption> fit_options(const Preset& preset, std::uint64_t free_bytes,
                                   const NeedsFunction& needs);

/// The change that frees most memory for each millisecond that a step takes longer; where times
/// aren't known, the mildest that frees any. None if nothing helps.
std::optional<FitOption> best_saving(const Preset& preset, const RunNeeds& now,
                                     const NeedsFunction& needs);

/// A preset patch as options of the command line: "--set data.batch_size=1 --set ..."
std::string as_options(const std::string& patch_json);

/// The refusal of a run that doesn't fit: what it needs and what is free.
Message memory_refusal(const PlanReport& report);
/// The refusal with the first of the changes that make it fit, and what it costs of a step's time.
Message memory_refusal(const PlanReport& report, std::span<const FitOption> options);

/// Throws Error(out_of_memory) with needed and free bytes if the plan doesn't fit, and the first of
/// `options()`, which does, with what it costs of a step's time.
void require_memory(const PlanReport& report,
                    const std::function<std::vector<FitOption>()>& options);

}  // namespace mantissa
