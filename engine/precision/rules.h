#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/core/message.h"
#include "engine/preset/preset.h"
#include "kernels/dtype.h"

namespace mantissa {

/// What a module is, as far as its dtypes go.
enum class ModuleKind { linear, conv, norm, embedding, vector };

/// The dtypes of one module.
struct ModulePrecision {
  DType storage = DType::f32;  ///< of its frozen weight; FP8 has a scale per output channel
  DType compute = DType::f32;  ///< of the operands of its products; sums are fp32 (fp64 for fp64)
  bool tf32 = false;           ///< operands are rounded to a 10-bit mantissa first
  bool fp8 = false;            ///< products in FP8, E4M3 forward and E5M2 for gradients
  /// Why it is not its part's default; null where it is.
  const MessageTemplate* reason = nullptr;

  bool operator==(const ModulePrecision&) const = default;
};

/// Whether training moves the own weights of the module at `path` ("te1.text_model…"):
/// training.method full, a trained part, and one of training.weights matches.
bool moves_weights(const Preset::Training& training, std::string_view path);

/// Gives every module path its dtypes: a pure function of the precision settings. Paths begin with
/// the part: "unet.", "te1.", "te2.", "vae.".
class PrecisionRules {
 public:
  /// Everything in fp32.
  PrecisionRules() = default;
  /// Everything in one dtype, fp64 included (gradient checks).
  static PrecisionRules uniform(DType dtype);
  explicit PrecisionRules(const Preset::Precision& settings);
  /// Weights that are trained themselves are masters: of precision.adapter's type, and never FP8.
  explicit PrecisionRules(const Preset& preset);

  /// A module's own weight (linear, conv, norm, embedding) or its bias (vector).
  ModulePrecision of(std::string_view path, ModuleKind kind) const;
  /// What activations between the modules of a part are stored in.
  DType activations(std::string_view path) const;
  /// Everything of the rules that what a part computes depends on, as text.
  std::string signature(std::string_view part) const;
  /// FP8 products take their scale from earlier steps rather than from the tensor itself.
  bool delayed_scaling() const { return settings_.fp8_scaling == Fp8Scaling::delayed; }

 private:
  ModulePrecision part_default(std::string_view path) const;
  ModulePrecision frozen(std::string_view path, ModuleKind kind) const;
  Preset::Precision settings_;
  Preset::Training training_;
  bool trains_vae_ = false;  ///< then it computes like any other part
  bool uniform_ = false;
  DType dtype_ = DType::f32;
};

}  // namespace mantissa
