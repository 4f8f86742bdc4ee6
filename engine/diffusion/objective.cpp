#include "engine/diffusion/objective.h"

#include <cmath>
#include <fmt/format.h>

#include "engine/core/error.h"

namespace mantissa {

void require_level(double level) {
  if (!(level >= 0 && level <= 1)) {
    throw Error(Message::verbatim(fmt::format("noise level {} is outside 0 to 1", level)));
  }
}

LossRule loss_rule_of(const Preset& preset) {
  const Preset::Training& training = preset.training;
  LossRule rule{
      .error = training.loss, .schedule = training.huber_schedule, .huber_c = training.huber_c};
  if (training.min_snr_gamma > 0) {
    rule.weight = {LossWeighting::min_snr, training.min_snr_gamma};
  }
  return rule;
}

double huber_width(const LossRule& rule, double share, const NoiseCoefficients& noise) {
  const double c = rule.huber_c;
  switch (rule.schedule) {
    case HuberSchedule::constant:
      return c;
    case HuberSchedule::exponential:
      return std::pow(c, share);
    case HuberSchedule::snr:
      break;
  }
  // x0/(x0 + noise) is 1/(1 + σ), also where nothing of the image is left.
  const double image = noise.noised_x0 / (noise.noised_x0 + noise.noised_noise);
  return (1 - c) * image * image + c;
}

BatchCoefficients batch_coefficients(const Objective& objective, const LossRule& rule,
                                     std::span<const double> timesteps) {
  BatchCoefficients batch;
  for (const double timestep : timesteps) {
    const double level = objective.level(timestep);
    const NoiseCoefficients c = objective.coefficients(level);
    batch.noised_x0.push_back(c.noised_x0);
    batch.noised_noise.push_back(c.noised_noise);
    batch.target_x0.push_back(c.target_x0);
    batch.target_noise.push_back(c.target_noise);
    batch.weight.push_back(objective.loss_weight(level, rule.weight));
    if (rule.error == LossType::mse) {
      continue;
    }
    batch.width.push_back(huber_width(rule, objective.share_of_steps(timestep), c));
    if (rule.error == LossType::smooth_l1) {
      batch.weight.back() /= batch.width.back();
    }
  }
  return batch;
}

}  // namespace mantissa
