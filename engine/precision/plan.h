#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/precision/rules.h"
#include "engine/precision/verdict.h"
#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

/// One entry of the conflict catalogue that applies to a preset.
struct PrecisionFinding {
  std::string id;
  Verdict verdict = Verdict::works;
  std::vector<std::string> fields;
  Message message;
  std::string fix_json = "{}";  ///< a preset patch; for `adjusted`, what was applied
  std::string changes{};        ///< what was applied, as "precision.compute fp16 -> bf16, …"

  /// False for notices: the preset needs no change.
  bool has_fix() const { return fix_json != "{}"; }
};

/// A finding's message, with an adjustment's changes in brackets.
Message with_changes(const Message& sentence, const std::string& changes);

/// Facts about a base model for the plan, read before any weight is loaded.
struct ModelFacts {
  ModelFamily family = ModelFamily::automatic;
  Prediction prediction = Prediction::epsilon;
  bool zero_terminal_snr = false;
  /// Storage dtype of most weights of a part in the file; `gguf` where it has any of GGUF's
  /// blocks.
  DType denoiser_file = DType::f32, text_encoders_file = DType::f32, vae_file = DType::f32;
  /// Whether most of the denoiser's values are int8 codes rotated in groups that can't be kept, so
  /// that they are decoded to fp32.
  bool denoiser_decoded = false;
  bool has_t5 = false;
  bool vae_fits_fp16 = false;  ///< its activations stay within FP16's range
  /// Trained in bf16 only, with values beyond fp16's range.
  bool bf16_native = false;
  /// "Z-Image Turbo" and what tells, if the model is a distilled one; else empty.
  std::string distilled{};
  Message distilled_evidence{};
};

/// Facts about the device for the plan.
struct DeviceFacts {
  std::string name = "cpu";
  /// 89 for sm_89; 0 for the CPU, which emulates every format exactly.
  int compute_capability = 0;
};

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

}  // namespace mantissa
