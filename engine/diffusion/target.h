#pragma once
// defines: TargetCoefficients, LossWeighting, LossWeight, BatchCoefficients, target_coefficients,
// loss_weight, batch_coefficients, reconstruct

#include <span>
#include <vector>

#include "engine/diffusion/schedule.h"

namespace mantissa {

/// target = noise·ε + x0·x0. ε: (1, 0). v (arXiv 2202.00512): (√ᾱ, −√(1−ᾱ)).
struct TargetCoefficients {
  double noise = 1, x0 = 0;
};
TargetCoefficients target_coefficients(const NoiseSchedule& schedule, Prediction prediction, int t);

enum class LossWeighting { uniform, min_snr, debiased };

/// How each sample's mean squared error is weighted.
struct LossWeight {
  LossWeighting kind = LossWeighting::uniform;
  double gamma = 5;  ///< min_snr only, > 0
};

/// Weight of a sample at timestep t.
/// min-SNR (arXiv 2303.09556): ε min(SNR,γ)/SNR, v min(SNR,γ)/(SNR+1), fine at SNR 0.
/// debiased (arXiv 2310.08442): ε 1/√min(SNR,1000), v 1/(SNR+1).
/// Throws Error(precision, "N5") for ε with a schedule of zero terminal SNR.
double loss_weight(const NoiseSchedule& schedule, Prediction prediction, const LossWeight& weight,
                   int t);

/// One value per sample, ready for Kernels::add_noise (noised = noised_x0·x0 + noised_noise·ε,
/// target = target_x0·x0 + target_noise·ε) and Kernels::mse_loss.
struct BatchCoefficients {
  std::vector<double> noised_x0, noised_noise, target_x0, target_noise, weight;
};
BatchCoefficients batch_coefficients(const NoiseSchedule& schedule, Prediction prediction,
                                     const LossWeight& weight, std::span<const int> timesteps);

/// x0 and ε that a prediction at timestep t stands for: x0 = x0_x·x + x0_output·output and so on.
struct Reconstruction {
  double x0_x, x0_output, noise_x, noise_output;
};
/// Throws Error for ε where ᾱ is 0: x0 can't be told there.
Reconstruction reconstruct(const NoiseSchedule& schedule, Prediction prediction, int t);

}  // namespace mantissa
