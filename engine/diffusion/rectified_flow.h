#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "engine/diffusion/objective.h"

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

  bool operator==(const FlowConfig&) const = default;
};

/// Whether it is a rectified-flow scheduler's configuration.
bool is_flow_config(const nlohmann::json& config);
/// Reads such a configuration. Throws Error naming the field if a value is mistyped, out of range
/// or unsupported (shift_terminal, invert_sigmas, …).
FlowConfig flow_config_from_json(const nlohmann::json& config);
nlohmann::json to_json(const FlowConfig& config);

/// Rectified flow (arXiv 2209.03003, 2403.03206): noised = (1 − t)·x0 + t·ε, the model predicts ε −
/// x0, with timestep t · num_train_timesteps. t is the noise level.
class RectifiedFlow final : public Objective {
 public:
  /// Throws Error for a shift that is not above 0.
  explicit RectifiedFlow(const FlowConfig& config = {});

  const FlowConfig& config() const { return config_; }

  std::string_view prediction_name() const override { return "flow"; }
  NoiseCoefficients coefficients(double level) const override;
  Reconstruction reconstruct(double level) const override;
  /// The error of x0 is t times that of the output, so min-SNR is min(SNR, γ)·t² and debiased t²,
  /// with SNR = ((1 − t)/t)².
  double loss_weight(double level, const LossWeight& weight) const override;
  double timestep(double level) const override;
  double level(double timestep) const override;
  double share_of_steps(double timestep) const override { return level(timestep); }
  /// u with the shift: above 1, more steps are spent on noisy images. Throws Error for a shift that
  /// is not above 0, or if it depends on tokens and there are none.
  double trained_level(double u, const LevelShift& shift) const override;
  /// Levels decrease evenly from 1 to 1/steps and are shifted. Euler and DDIM are identical here;
  /// Euler a keeps the level's variance with η = 1; DPM++ 2M needs some signal and starts at 1 −
  /// 1/num_train_timesteps, and has no Karras spacing.
  SamplingPlan sampling(SamplerKind kind, int steps, double tokens) const override;

 private:
  /// The schedule's own shift for an image of this many tokens.
  double own_shift(double tokens) const;
  /// The shift for a sample in this many steps.
  double sampling_shift(double tokens, int steps) const;

  FlowConfig config_;
};

}  // namespace mantissa
