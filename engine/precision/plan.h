#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/precision/facts.h"
#include "engine/precision/finding.h"
#include "engine/precision/rules.h"
#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

/// Storage and compute dtypes of a run; a pure function of (preset, model, device).
struct PrecisionPlan {
  Preset effective;  ///< the preset with every adjustment applied, used for training
  PrecisionRules rules;
  std::vector<PrecisionFinding> findings;  ///< in the order of the catalogue
  ModelFacts model;
  DeviceFacts device;

  /// One line of JSON, stored with the run: {"weights":{"denoiser":"fp32",…},"compute":"fp32",…},
  /// the dtypes of each kind of module ("modules"), pins, the device and the findings.
  std::string json() const;
  /// One line: "W fp32 · compute fp32 · adapter fp32 · grad fp32 · state fp32".
  std::string summary() const;
  /// The first refusal, or null.
  const PrecisionFinding* refusal() const;
};

/// "linear", "conv", "norm", "embedding" or "bias".
std::string_view kind_name(ModuleKind kind);

/// "bf16", "tf32", "fp8" or "int8": a module's compute dtype.
std::string compute_name(const ModulePrecision& module);

/// Pure: the same preset and facts give the same plan. Unless a finding is a refusal, planning the
/// effective preset again changes nothing.
PrecisionPlan make_precision_plan(const Preset& preset, const ModelFacts& model = {},
                                  const DeviceFacts& device = {});

/// The entries that just work and concern this plan, as findings: added by `check --explain`.
std::vector<PrecisionFinding> explained_findings(const PrecisionPlan& plan);

}  // namespace mantissa
