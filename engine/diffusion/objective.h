#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/random.h"
#include "engine/diffusion/sampling_plan.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// Factors of one noise level:
///   noised = noised_x0·x0 + noised_noise·ε        target = target_x0·x0 + target_noise·ε
struct NoiseCoefficients {
  double noised_x0 = 1, noised_noise = 0, target_x0 = 0, target_noise = 1;
};

/// x0 and ε from a model's output: x0 = x0_x·noised + x0_output·output, and so on.
struct Reconstruction {
  double x0_x = 0, x0_output = 0, noise_x = 0, noise_output = 0;
};

/// Tokens of an image whose latents have these sides, in patches of `patch` by `patch`.
constexpr double image_tokens(std::int64_t height, std::int64_t width, int patch) {
  const std::int64_t down = height / patch, across = width / patch;  // whole patches
  return static_cast<double>(down) * static_cast<double>(across);
}

/// How far the trained levels of a flow are shifted towards noise (rectified_flow.h).
struct LevelShift {
  double tokens = 0;            ///< of the image: the schedule's shift may depend on them
  std::optional<double> fixed;  ///< overrides the schedule's; above 0
};

enum class LossWeighting { uniform, min_snr, debiased };

/// How each sample's mean squared error is weighted.
struct LossWeight {
  LossWeighting kind = LossWeighting::uniform;
  double gamma = 5;  ///< min_snr only, > 0
};

/// A sample's loss: the mean of its errors, weighted. `huber` is 2c(√(d² + c²) - c) of a difference
/// d, `smooth_l1` the same divided by c (conditional_loss in sd-scripts and diffusers); the width c
/// depends on the noise level.
struct LossRule {
  LossWeight weight;
  LossType error = LossType::mse;
  HuberSchedule schedule = HuberSchedule::constant;
  double huber_c = 0.1;  ///< > 0
};
LossRule loss_rule_of(const Preset& preset);

/// A denoiser's training objective: how noise is added, what it predicts, and its timestep input.
///
/// A noise level is a double in [0, 1]; 0 is the (nearly) clean image, 1 the (nearly) pure noise.
/// An objective is immutable and safe to share between threads.
class Objective {
 public:
  virtual ~Objective() = default;

  /// What the model predicts: "epsilon", "v" or "flow".
  virtual std::string_view prediction_name() const = 0;

  /// All of these throw Error if `level` is outside [0, 1].
  virtual NoiseCoefficients coefficients(double level) const = 0;
  /// Throws Error if x0 can't be computed from the output (ε-prediction without any signal).
  virtual Reconstruction reconstruct(double level) const = 0;
  /// Weight of a sample's loss. Throws Error(precision, "N5") for ε-prediction with a schedule of
  /// zero terminal SNR, Error for a gamma that is not above 0.
  virtual double loss_weight(double level, const LossWeight& weight) const = 0;
  /// The model's timestep input at a noise level …
  virtual double timestep(double level) const = 0;
  /// … and its inverse. Throws Error for a timestep without a level.
  virtual double level(double timestep) const = 0;
  /// A timestep over the number of trained ones: 0.999 for the last of a thousand.
  virtual double share_of_steps(double timestep) const = 0;
  /// The noise level at fraction u in [0, 1) of the trained levels: drawing u draws a level.
  /// Increases with u. A variance-preserving process has no shift.
  virtual double trained_level(double u, const LevelShift& shift) const = 0;

  /// A sampler's steps for an image of this many tokens, 1 <= steps <= number of trained levels,
  /// else Error.
  virtual SamplingPlan sampling(SamplerKind kind, int steps, double tokens) const = 0;
};

/// c of a timestep: huber_c (constant), huber_c^share with Objective::share_of_steps (exponential),
/// or (1 - huber_c)/(1 + σ)² + huber_c with σ the noise's share over the image's (snr).
double huber_width(const LossRule& rule, double share, const NoiseCoefficients& noise);

/// One value for each sample, for Kernels::add_noise, Kernels::mse_loss and Kernels::huber_loss.
struct BatchCoefficients {
  std::vector<double> noised_x0, noised_noise, target_x0, target_noise, weight;
  std::vector<double> width;  ///< empty for the squared error
};
/// From the model's timestep inputs.
BatchCoefficients batch_coefficients(const Objective& objective, const LossRule& rule,
                                     std::span<const double> timesteps);

/// Throws Error unless 0 <= level <= 1.
void require_level(double level);

}  // namespace mantissa
