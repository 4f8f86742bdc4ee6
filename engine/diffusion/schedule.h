#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "engine/preset/preset.h"

namespace mantissa {

/// cosine: "squaredcos_cap_v2".
enum class BetaSchedule { scaled_linear, linear, cosine, sigmoid, laplace };
enum class TimestepSpacing { linspace, leading, trailing };

/// The relevant fields of a diffusers scheduler_config.json. Defaults are Stable Diffusion's.
struct ScheduleConfig {
  double beta_start = 0.00085;
  double beta_end = 0.012;
  BetaSchedule beta_schedule = BetaSchedule::scaled_linear;
  std::vector<double> trained_betas;  ///< one per timestep; empty: computed from the formula
  int num_train_timesteps = 1000;
  Prediction prediction = Prediction::epsilon;  ///< never automatic
  bool zero_terminal_snr = false;
  TimestepSpacing spacing = TimestepSpacing::leading;
  int steps_offset = 1;
  bool set_alpha_to_one = false;  ///< DDIM: ᾱ before step 0 is 1 instead of ᾱ[0]

  bool operator==(const ScheduleConfig&) const = default;
};

/// Reads a scheduler_config.json. Missing fields get the named scheduler's default, or Stable
/// Diffusion's if it names none; fields that only affect sampling are ignored. Throws Error naming
/// the field if a value is mistyped, out of range or of an unknown kind (prediction_type "sample"
/// or "flow_prediction", a scheduler of flow matching, …).
ScheduleConfig schedule_config_from_json(const nlohmann::json& config);

/// The forward process x_t = √ᾱ_t·x0 + √(1−ᾱ_t)·ε, t = 0 … steps()−1; fp64 tables.
/// With zero terminal SNR the table is rescaled as in arXiv 2305.08891, so that ᾱ of the last
/// timestep is exactly 0 (σ infinite, SNR 0 there).
class NoiseSchedule {
 public:
  explicit NoiseSchedule(const ScheduleConfig& config = {});

  const ScheduleConfig& config() const { return config_; }
  int steps() const { return static_cast<int>(alphas_cumprod_.size()); }
  Prediction prediction() const { return config_.prediction; }
  std::span<const double> betas() const { return betas_; }  ///< before any rescale
  std::span<const double> alphas_cumprod() const { return alphas_cumprod_; }
  std::span<const double> sigmas() const { return sigmas_; }  ///< √((1−ᾱ)/ᾱ)

  /// Throw Error if t is outside [0, steps()).
  double alpha_cumprod(int t) const;
  double sqrt_alpha(int t) const;
  double sqrt_one_minus_alpha(int t) const;
  double sigma(int t) const;
  double snr(int t) const;  ///< ᾱ/(1−ᾱ)

 private:
  ScheduleConfig config_;
  std::vector<double> betas_, alphas_cumprod_, sigmas_;
};

}  // namespace mantissa
