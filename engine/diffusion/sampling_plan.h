#pragma once

#include <vector>

namespace mantissa {

enum class SamplerKind { euler, euler_a, ddim, dpmpp_2m_karras, heun };

/// One evaluation of the model and what it does to state x, with fp64 coefficients:
///
///   output   = model(input_scale·x, timestep)
///   estimate = estimate_x·x + estimate_output·output
///   x        = keep·x + gain·estimate + gain_before·(estimate of the step before) + noise·normal()
struct SamplerStep {
  double timestep = 0;
  double input_scale = 1;
  double estimate_x = 0, estimate_output = 1;
  double keep = 1, gain = 0, gain_before = 0;
  double noise = 0;
};

/// The end of Heun's step of length `length`, begun as Euler's with the slope at its start: both
/// slopes count half.
inline void end_heun_step(SamplerStep& step, double length) {
  step.gain = length / 2;
  step.gain_before = -length / 2;
}

/// All evaluations of a sampler, precomputed: Heun's method has two to a step but the last.
struct SamplingPlan {
  std::vector<SamplerStep> steps;
  /// σ of each step, then the last one; empty for DDIM of a VP model.
  std::vector<double> sigmas;
  double init_noise_sigma = 1;  ///< initial x is normal() times this
};

}  // namespace mantissa
