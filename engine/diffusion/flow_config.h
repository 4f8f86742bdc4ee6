#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace mantissa {

/// The shift of noise levels towards noise by the image's tokens: μ is linear from `base` at
/// `base_tokens` to `most` at `most_tokens` and beyond. The shift is e^μ, or μ itself.
struct DynamicShift {
  enum class Kind { exponential, linear };
  double base = 0.5, most = 1.15;
  double base_tokens = 256, most_tokens = 4096;
  Kind kind = Kind::exponential;

  /// For an image of this many tokens, above 0.
  double shift(double tokens) const;
  /// For a given μ.
  double of_mu(double mu) const;
  bool operator==(const DynamicShift&) const = default;
};

/// The relevant fields of a FlowMatchEulerDiscreteScheduler's configuration.
struct FlowConfig {
  int num_train_timesteps = 1000;
  double shift = 1;  ///< level' = shift·level / (1 + (shift − 1)·level); above 0
  std::optional<DynamicShift> dynamic;  ///< instead of `shift`, by the image's tokens
  /// μ of samples by tokens and steps, where a family's pipeline has its own rule in place of
  /// `dynamic`; else null. Training has no steps and keeps `dynamic`.
  double (*sampling_mu)(double tokens, int steps) = nullptr;
  /// The last level of samples before 0, to which the others are stretched; 0: none.
  double terminal = 0;
  /// Levels of samples before the shift, from 1 down, where a model was made for these; else empty.
  std::vector<double> sampling_grid{};

  bool operator==(const FlowConfig&) const = default;
};

/// The setting of model_index.json that FlowConfig::sampling_grid is read from.
inline constexpr const char* kSamplingGrid = "sample_sigmas";

/// Whether it is a rectified-flow scheduler's configuration.
bool is_flow_config(const nlohmann::json& config);
/// Reads such a configuration. Throws Error naming the field if a value is mistyped, out of range
/// or unsupported (invert_sigmas, …).
FlowConfig flow_config_from_json(const nlohmann::json& config);
nlohmann::json to_json(const FlowConfig& config);

}  // namespace mantissa
