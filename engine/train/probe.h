#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/run.h"

namespace mantissa {

struct ProbeOptions {
  std::int64_t steps = 4;
  int pins = 3;  ///< modules tried as pins at most; 0: none
};

/// One module in the plan against itself in FP32: the worst of all steps. NaN: not known there.
struct ProbeModule {
  std::string path;
  double output_sqnr;      ///< dB of what it gives on, with all that was lost before it
  double weight_sqnr;      ///< dB of its stored weight against the file
  double gradient_cosine;  ///< of its adapter's gradients
  double gradient_error;   ///< ‖g - g₃₂‖ / ‖g₃₂‖
  double lost_update;      ///< share of its adapter's elements with a gradient that did not move
};

/// A module that follows FP32 better in a wider type.
struct ProbePin {
  std::string path;
  StorageType type = StorageType::bf16;
  std::int64_t bytes = 0;  ///< more memory than in the plan
  double gap_without = 0;  ///< the gradients' error with every other pin but this
};

struct ProbeReport {
  std::string plan;  ///< PrecisionPlan::summary
  std::int64_t steps = 0;
  std::vector<double> loss, loss_fp32;        ///< by step
  double loss_gap = 0;                        ///< mean |L - L₃₂| over mean |L₃₂|
  double gradient_error = 0;                  ///< all adapters, mean over steps: what "gap" means
  double gradient_cosine = 1;                 ///< worst step
  double lost_update = 0;                     ///< worst step
  std::vector<ProbeModule> modules;           ///< in execution order
  std::vector<ProbePin> pins;                 ///< those that help
  double pinned_error = 0;                    ///< gradient_error with all of them
  std::optional<NonFiniteReport> non_finite;  ///< of the plan, where it broke
  Message verdict;                            ///< in words
  std::string fix_json = "{}";                ///< preset patch: the pins
};

/// Runs the first steps twice on the same inputs, from the same adapters: in the job's precision
/// plan and with everything in FP32; then looks for modules that would follow FP32 better in a
/// wider type. Writes nothing: no run, no cache, no database. `observer` hears progress and plan.
/// Throws Error for refused plans and bad input as run_training does.
ProbeReport run_probe(const JobSpec& job, const ProbeOptions& options, RunControl& control,
                      RunObserver& observer);

}  // namespace mantissa
