#pragma once
// defines: SamplerKind, Sampler, make_sampler, sampler_names, sampler_from_name, apply_guidance

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/diffusion/schedule.h"

namespace mantissa {

enum class SamplerKind { euler, euler_a, ddim, dpmpp_2m_karras };

/// Spelling on the command line: "euler", "euler_a", "ddim", "dpmpp_2m_karras".
std::span<const std::string_view> sampler_names();
/// Throws Error that lists the names.
SamplerKind sampler_from_name(std::string_view name);

/// Walks noise to an image in n steps. The state x is FP32 of any length; coefficients are fp64.
///
///   x = normal() * sampler.init_noise_sigma();
///   for i in 0 … steps()-1:
///     output = model(sampler.scale_model_input(x, i), sampler.timesteps()[i])   (guided)
///     sampler.step(i, output, x, sampler.needs_noise(i) ? normal() : {})
///
/// Steps must be taken in order from 0; a step 0 starts anew.
class Sampler {
 public:
  virtual ~Sampler() = default;
  int steps() const { return static_cast<int>(timesteps_.size()); }
  /// What the model is told, falling; fractional only for Euler with linspace spacing.
  std::span<const double> timesteps() const { return timesteps_; }
  /// σ of each step, then the last one (0 for the σ samplers); empty for DDIM.
  std::span<const double> sigmas() const { return sigmas_; }
  double init_noise_sigma() const { return init_noise_sigma_; }
  /// Factor from the state to the model's input at step i (1 for VP samplers).
  virtual double input_scale(int i) const { return 1; }
  /// scaled = x · input_scale(i); the two may be the same memory.
  void scale_model_input(std::span<const float> x, int i, std::span<float> scaled) const;
  /// Does step i add fresh noise (Euler a, all but its last step)?
  virtual bool needs_noise(int i) const { return false; }
  /// Replaces x by the state of step i+1. `noise` holds x.size() standard normals where
  /// needs_noise(i), else may be empty. Throws Error on sizes that differ or a step out of order.
  void step(int i, std::span<const float> model_output, std::span<float> x,
            std::span<const float> noise = {});

 protected:
  virtual void advance(int i, std::span<const float> model_output, std::span<float> x,
                       std::span<const float> noise) = 0;
  std::vector<double> timesteps_, sigmas_;
  double init_noise_sigma_ = 1;

 private:
  int next_ = 0;
};

/// `steps` in [1, schedule.steps()], else Error. The spacing is not used by dpmpp_2m_karras, whose
/// timesteps follow from Karras' σ (arXiv 2206.00364, ρ = 7). Sources: Euler and Euler a as in
/// k-diffusion, DDIM with η = 0 (arXiv 2010.02502), DPM++ 2M (arXiv 2211.01095, midpoint).
std::unique_ptr<Sampler> make_sampler(SamplerKind kind, const NoiseSchedule& schedule,
                                      Prediction prediction, int steps, TimestepSpacing spacing);

/// guided = unconditional + scale·(conditional − unconditional); may write over either input.
void apply_guidance(std::span<const float> unconditional, std::span<const float> conditional,
                    double scale, std::span<float> guided);

}  // namespace mantissa
