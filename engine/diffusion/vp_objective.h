#pragma once

#include "engine/diffusion/objective.h"
#include "engine/diffusion/schedule.h"

namespace mantissa {

/// A variance-preserving process (DDPM, arXiv 2006.11239) with ε- or v-prediction (arXiv
/// 2202.00512): noised = √ᾱ·x0 + √(1−ᾱ)·ε. Its levels are the timesteps t of a table of ᾱ, level =
/// t / (steps − 1); between two of them σ is interpolated.
class VpObjective final : public Objective {
 public:
  explicit VpObjective(const ScheduleConfig& config = {}) : schedule_(config) {}
  const NoiseSchedule& schedule() const { return schedule_; }

  std::string_view prediction_name() const override { return is_v() ? "v" : "epsilon"; }
  /// ε: target (x0, ε) = (0, 1). v: (−√(1−ᾱ), √ᾱ).
  NoiseCoefficients coefficients(double level) const override;
  Reconstruction reconstruct(double level) const override;
  /// min-SNR (arXiv 2303.09556): ε min(SNR,γ)/SNR, v min(SNR,γ)/(SNR+1), valid at SNR 0.
  /// debiased (arXiv 2310.08442): ε 1/√min(SNR,1000), v 1/(SNR+1).
  double loss_weight(double level, const LossWeight& weight) const override;
  double timestep(double level) const override;
  double level(double timestep) const override;
  double share_of_steps(double timestep) const override { return timestep / schedule_.steps(); }
  double trained_level(double u, const LevelShift& shift) const override;
  /// Euler and Euler a as in k-diffusion, DDIM with η = 0 (arXiv 2010.02502), DPM++ 2M (arXiv
  /// 2211.01095, midpoint) on Karras' σ (arXiv 2206.00364, ρ = 7), regardless of the schedule's
  /// spacing.
  SamplingPlan sampling(SamplerKind kind, int steps, double tokens) const override;

 private:
  bool is_v() const { return schedule_.prediction() == Prediction::v; }
  double alpha_cumprod(double level) const;

  NoiseSchedule schedule_;
};

}  // namespace mantissa
