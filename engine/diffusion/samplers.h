#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/diffusion/objective.h"

namespace mantissa {

/// Spelling on the command line, in the order of SamplerKind.
std::span<const std::string_view> sampler_names();
/// Throws Error that lists the names.
SamplerKind sampler_from_name(std::string_view name);

/// Denoises to an image, a step for each evaluation of the model. The state x is FP32 of any
/// length; coefficients are fp64.
///
///   x = normal() * sampler.init_noise_sigma();
///   for i in 0 … steps()-1:
///     output = model(sampler.scale_model_input(x, i), sampler.timestep(i))   (guided)
///     sampler.step(i, output, x, sampler.needs_noise(i) ? normal() : {})
///
/// Steps must be taken in order from 0; step 0 restarts.
class Sampler {
 public:
  explicit Sampler(SamplingPlan plan) : plan_(std::move(plan)) {}

  int steps() const { return static_cast<int>(plan_.steps.size()); }
  /// The model's timestep input at step i, never above the one before; may be fractional.
  double timestep(int i) const { return plan_.steps[static_cast<std::size_t>(i)].timestep; }
  std::span<const double> sigmas() const { return plan_.sigmas; }
  double init_noise_sigma() const { return plan_.init_noise_sigma; }
  /// scaled = the model's input at step i; may alias x.
  void scale_model_input(std::span<const float> x, int i, std::span<float> scaled) const;
  /// Whether step i adds fresh noise (Euler a, all but its last step).
  bool needs_noise(int i) const { return plan_.steps[static_cast<std::size_t>(i)].noise > 0; }
  /// Replaces x by the state of step i+1. `noise` holds x.size() standard normals if
  /// needs_noise(i), else may be empty. Throws Error on sizes that differ or a step out of order.
  void step(int i, std::span<const float> model_output, std::span<float> x,
            std::span<const float> noise = {});

 private:
  SamplingPlan plan_;
  std::vector<float> previous_;  ///< the previous step's estimate
  int next_ = 0;
};

/// guided = unconditional + scale·(conditional − unconditional); may write over either input.
void apply_guidance(std::span<const float> unconditional, std::span<const float> conditional,
                    double scale, std::span<float> guided);

/// Latents [height, width, channels] in tokens of `patch` x `patch`.
struct TokenGrid {
  std::int64_t height = 0, width = 0, channels = 0, patch = 1;
};
/// Scales each token of `guided` to its Euclidean norm in `conditional`.
void keep_token_norms(std::span<const float> conditional, const TokenGrid& grid,
                      std::span<float> guided);

}  // namespace mantissa
