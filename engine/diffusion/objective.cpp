#include "engine/diffusion/objective.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace mantissa {

void require_level(double level) {
  if (!(level >= 0 && level <= 1)) {
    throw Error(Message::verbatim(fmt::format("noise level {} is outside 0 to 1", level)));
  }
}

LossWeight loss_weight_of(const Preset& preset) {
  const double gamma = preset.training.min_snr_gamma;
  return gamma > 0 ? LossWeight{LossWeighting::min_snr, gamma} : LossWeight{};
}

BatchCoefficients batch_coefficients(const Objective& objective, const LossWeight& weight,
                                     std::span<const double> timesteps) {
  BatchCoefficients batch;
  for (const double timestep : timesteps) {
    const double level = objective.level(timestep);
    const NoiseCoefficients c = objective.coefficients(level);
    batch.noised_x0.push_back(c.noised_x0);
    batch.noised_noise.push_back(c.noised_noise);
    batch.target_x0.push_back(c.target_x0);
    batch.target_noise.push_back(c.target_noise);
    batch.weight.push_back(objective.loss_weight(level, weight));
  }
  return batch;
}

}  // namespace mantissa
