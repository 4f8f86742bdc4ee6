#pragma once
// What PEFT says about an adapter beside its tensors: a folder's adapter_config.json, or diffusers'
// metadata of a file.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/python_expression.h"
#include "engine/preset/part.h"

namespace mantissa {

/// A base weight from which PEFT took an adapter's initial values, so that the adapter's change is
/// against the rest of it.
enum class PeftStart {
  none,
  pissa,  ///< its largest singular values and vectors
  olora,  ///< the first columns of Q and rows of R of its QR decomposition
};

/// The configs of an adapter's parts; empty without any.
class PeftConfig {
 public:
  PeftConfig() = default;
  /// From {"unet.r": 4, "unet.lora_alpha": 6, …}, the form of diffusers' lora_adapter_metadata, of
  /// which order counts: the first pattern that matches is used. Throws Error naming `file`, the
  /// field and what to do for tuners, variants and initial values whose files hold less than their
  /// change, for patterns that aren't regular expressions, and for values of types that PEFT can't
  /// use.
  PeftConfig(nlohmann::ordered_json fields, const std::string& file);
  /// The config in a file's metadata; empty if it has none.
  static PeftConfig of_metadata(const std::map<std::string, std::string>& metadata,
                                const std::string& file);

  bool empty() const { return fields_.empty(); }
  /// PEFT's scaling of a module, of a LoRA of `rank` in the file; of LoHa and LoKr always
  /// alpha / r of the config. `name` is its name in the model as PEFT knew it. Empty without a
  /// config of the part.
  std::optional<double> scale(Part of, std::string_view name, int rank) const;
  PeftStart start(Part part) const;
  /// Whether the config of a part says that its modules have magnitudes.
  bool uses_dora(Part part) const;

 private:
  const nlohmann::ordered_json* field(const std::string& part, const char* name) const;
  /// A field as the file has it: a config of its own names no part.
  std::string name_of(const std::string& part, std::string_view name) const;
  /// The value of a field that `check_types` has found to be a number.
  double number(const std::string& part, const char* name, double otherwise) const;
  /// What the fields of a part begin with ("unet", "transformer"); empty if it has none.
  std::string head(Part part) const;
  /// The value of the first pattern of `field` that matches `name`, else `otherwise`.
  double of_pattern(const std::string& part, const char* field, std::string_view name,
                    double otherwise) const;
  void compile(const std::string& part, const char* field);
  void check(const std::string& part) const;
  void check_types(const std::string& part) const;
  void check_start(const std::string& part) const;

  nlohmann::ordered_json fields_;
  std::map<std::string, PythonExpression> expressions_;  ///< by pattern
  std::string file_;
};

}  // namespace mantissa
