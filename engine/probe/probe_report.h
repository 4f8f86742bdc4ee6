#pragma once
// What a probe measured, and the conclusions from it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/precision/health.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// One module in the plan compared with FP32: the worst of all steps. NaN: unknown.
struct ProbeModule {
  std::string path;
  double output_sqnr;      ///< dB of its output, including earlier losses
  double weight_sqnr;      ///< dB of its stored weight compared with the file
  double gradient_cosine;  ///< of its adapter's gradients
  double gradient_error;   ///< ‖g - g₃₂‖ / ‖g₃₂‖
  double lost_update;      ///< of its adapter's elements with a gradient, the share left unchanged
  std::optional<StorageType> pin = {};  ///< the wider type of a pin; none if it is in FP32 already
};

/// A module that is closer to FP32 in a wider type.
struct ProbePin {
  std::string path;
  StorageType type = StorageType::bf16;
  std::int64_t bytes = 0;  ///< extra memory over the plan
  double gap_without = 0;  ///< the gradients' error with all pins but this
};

struct ProbeReport {
  std::string plan;  ///< PrecisionPlan::summary
  std::int64_t steps = 0;
  std::vector<double> loss, loss_fp32;        ///< by step
  double loss_gap = 0;                        ///< mean |L - L₃₂| over mean |L₃₂|
  double gradient_error = 0;                  ///< all adapters, mean over steps: the "gap"
  double gradient_cosine = 1;                 ///< worst step
  double lost_update = 0;                     ///< worst step
  std::vector<ProbeModule> modules;           ///< in execution order
  std::vector<ProbePin> pins;                 ///< those that help
  double pinned_error = 0;                    ///< gradient_error with all of them
  std::optional<NonFiniteReport> non_finite;  ///< of the plan, if it broke
  Message verdict;                            ///< as text
  std::string fix_json = "{}";                ///< preset patch: the pins
};

/// The modules with a gradient, the most damaged first: by gradient_error, then as they run. The
/// pointers are into `report`.
std::vector<const ProbeModule*> ranked_by_damage(const ProbeReport& report);

/// The noise over the signal that each module adds by itself, in the order of `report.modules`: the
/// growth of its output's noise over the module's before it, and the noise of its stored weight.
std::vector<double> own_noise(const ProbeReport& report);

constexpr double kProbeFollows = 0.02;  ///< a smaller error of the gradients needs no pin

/// What the numbers mean, and what to pin. `tried_pins`: pins were searched for.
Message probe_verdict(const ProbeReport& report, bool tried_pins);

}  // namespace mantissa
