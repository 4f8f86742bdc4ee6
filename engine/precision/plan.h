#pragma once
// defines: PrecisionFinding, PrecisionPlan, make_precision_plan

#include <string>
#include <vector>

#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

enum class Verdict { works, adjusted, warning, refused };
std::string_view verdict_name(Verdict v);

/// One entry of the conflict catalogue that applies to a preset.
struct PrecisionFinding {
  std::string id;
  Verdict verdict = Verdict::works;
  std::vector<std::string> fields;
  std::string message;
  std::string fix_json = "{}";  ///< a preset patch
};

/// Which dtype everything of a run is stored and computed in; a pure function of (preset, device).
struct PrecisionPlan {
  DType unet_weights = DType::f32, text_encoder_weights = DType::f32, vae_weights = DType::f32;
  DType compute = DType::f32, accumulation = DType::f32;
  DType adapter = DType::f32, gradients = DType::f32, optimizer_state = DType::f32;
  std::vector<PrecisionFinding> findings;

  /// {"weights":{"unet":"fp32",…},"compute":"fp32",…}
  std::string json() const;
  /// One line: "W fp32 · compute fp32 · adapter fp32 · grad fp32 · state fp32".
  std::string summary() const;
  /// The first refusal, or null.
  const PrecisionFinding* refusal() const;
};

PrecisionPlan make_precision_plan(const Preset& preset);

}  // namespace mantissa
