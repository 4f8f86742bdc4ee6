#pragma once

#include <cmath>
#include <vector>

#include "engine/diffusion/samplers.h"

namespace mantissa::test {

/// The end state of twelve values that start at sin(1.7 k + 0.3)·1.5, with the synthetic model and
/// the ancestral noise of tests/golden/make_samplers.py.
inline std::vector<float> sampled(Sampler& sampler, std::size_t count = 12) {
  std::vector<float> x(count), input(count), output(count), noise(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double z = std::sin(1.7 * static_cast<double>(k) + 0.3) * 1.5;
    x[k] = static_cast<float>(z * sampler.init_noise_sigma());
  }
  for (int i = 0; i < sampler.steps(); ++i) {
    sampler.scale_model_input(x, i, input);
    for (std::size_t k = 0; k < count; ++k) {
      output[k] = static_cast<float>(
          0.3 * static_cast<double>(input[k]) * std::cos(sampler.timestep(i) / 1000) + 0.1);
      noise[k] = static_cast<float>(std::cos(0.9 * static_cast<double>(k) + 1.1 * i));
    }
    sampler.step(i, output, x, sampler.needs_noise(i) ? noise : std::span<const float>());
  }
  return x;
}

}  // namespace mantissa::test
