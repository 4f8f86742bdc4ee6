#pragma once

#include <vector>

namespace mantissa {

enum class SamplerKind { euler, euler_a, ddim, dpmpp_2m_karras };

/// One step of a sampler from state x, with fp64 coefficients:
///
///   output   = model(input_scale·x, timestep)
///   estimate = estimate_x·x + estimate_output·output
///   used     = estimate + correction·(estimate − estimate of the step before)
///   x        = keep·x + gain·used + noise·normal()
struct SamplerStep {
  double timestep = 0;
  double input_scale = 1;
  double estimate_x = 0, estimate_output = 1;
  double correction = 0;
  double keep = 1, gain = 0;
  double noise = 0;
};

/// All steps of a sampler, precomputed.
struct SamplingPlan {
  std::vector<SamplerStep> steps;
  /// σ of each step, then the last one; empty for DDIM of a VP model.
  std::vector<double> sigmas;
  double init_noise_sigma = 1;  ///< initial x is normal() times this
};

}  // namespace mantissa
