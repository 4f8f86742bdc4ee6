#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/core/message.h"
#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

/// The kind of a module, which determines its dtypes.
enum class ModuleKind { linear, conv, norm, embedding, vector };

/// The dtypes of one module.
struct ModulePrecision {
  DType storage = DType::f32;  ///< of its frozen weight; codes have a scale per output channel
  DType compute = DType::f32;  ///< of its GEMM operands; accumulation is fp32 (fp64 for fp64)
  bool tf32 = false;           ///< operands are rounded to a 10-bit mantissa first
  bool codes = false;          ///< GEMMs of codes, the weight's as stored: see linear_codes
  /// Why it differs from its part's default; null if it doesn't.
  const MessageTemplate* reason = nullptr;

  bool operator==(const ModulePrecision&) const = default;
};

/// Whether training updates the module's own weights at `path` ("te1.text_model…"): training.method
/// full, a trained part, and one of training.weights matches.
bool moves_weights(const Preset::Training& training, std::string_view path);

/// Gives every module path its dtypes: a pure function of the precision settings. Paths begin with
/// the part: "denoiser.", "te1.", "te2.", "vae.".
class PrecisionRules {
 public:
  /// All in fp32.
  PrecisionRules() = default;
  /// All in one dtype, including fp64 (gradient checks).
  static PrecisionRules uniform(DType dtype);
  explicit PrecisionRules(const Preset::Precision& settings);
  /// Weights that are trained themselves are masters: of precision.adapter's type, and never codes.
  /// `family` is the base model's, whose wide modules (PartFiles::wide) are kept so; `automatic`:
  /// those of every family.
  explicit PrecisionRules(const Preset& preset, ModelFamily family = ModelFamily::automatic);

  /// A module's own weight (linear, conv, norm, embedding) or its bias (vector).
  ModulePrecision of(std::string_view path, ModuleKind kind) const;
  /// Storage dtype of activations between a part's modules.
  DType activations(std::string_view path) const;
  /// All rules that affect a part's results, as text.
  std::string signature(std::string_view part) const;
  /// FP8 GEMMs take their scale from earlier steps rather than from the tensor itself.
  bool delayed_scaling() const;

 private:
  ModulePrecision part_default(std::string_view path) const;
  ModulePrecision frozen(std::string_view path, ModuleKind kind) const;
  Preset::Precision settings_;
  Preset::Training training_;
  ModelFamily family_;
  bool trains_vae_ = false;  ///< then it computes like any other part
  bool uniform_ = false;
  DType dtype_ = DType::f32;
};

}  // namespace mantissa
