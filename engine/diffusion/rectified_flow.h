#pragma once

#include "engine/diffusion/flow_config.h"
#include "engine/diffusion/objective.h"

namespace mantissa {

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
  /// Levels decrease evenly from 1 to 1/steps, or along FlowConfig::sampling_grid, are shifted, and
  /// stretched to FlowConfig::terminal. Euler and DDIM are identical here;
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
