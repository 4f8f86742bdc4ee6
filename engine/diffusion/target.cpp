#include "engine/diffusion/target.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/core/error.h"
#include "engine/precision/catalogue.h"

namespace mantissa {

namespace {

bool is_v(Prediction prediction) {
  if (prediction == Prediction::automatic) {
    throw Error("the prediction type must be decided (epsilon or v) before targets are made");
  }
  return prediction == Prediction::v;
}

}  // namespace

TargetCoefficients target_coefficients(const NoiseSchedule& schedule, Prediction prediction,
                                       int t) {
  const double a = schedule.sqrt_alpha(t);
  return is_v(prediction) ? TargetCoefficients{a, -schedule.sqrt_one_minus_alpha(t)}
                          : TargetCoefficients{1, 0};
}

double loss_weight(const NoiseSchedule& schedule, Prediction prediction, const LossWeight& weight,
                   int t) {
  const bool v = is_v(prediction);
  const double snr = schedule.snr(t);
  if (!v && schedule.alphas_cumprod().back() <= 0) {
    const CatalogueEntry& n5 = catalogue_entry("N5");
    throw Error(ErrorKind::precision,
                "N5: " + std::string(n5.refusal) + " Fix: " + std::string(n5.fix), "N5");
  }
  switch (weight.kind) {
    case LossWeighting::uniform:
      return 1;
    case LossWeighting::min_snr: {
      if (!(weight.gamma > 0)) {
        throw Error("training.min_snr_gamma must be above 0; it is " +
                    std::to_string(weight.gamma));
      }
      const double capped = std::min(snr, weight.gamma);
      return v ? capped / (snr + 1) : capped / snr;
    }
    case LossWeighting::debiased:
      return v ? 1 / (snr + 1) : 1 / std::sqrt(std::min(snr, 1000.0));
  }
  return 1;
}

BatchCoefficients batch_coefficients(const NoiseSchedule& schedule, Prediction prediction,
                                     const LossWeight& weight, std::span<const int> timesteps) {
  BatchCoefficients batch;
  for (const int t : timesteps) {
    const TargetCoefficients target = target_coefficients(schedule, prediction, t);
    batch.noised_x0.push_back(schedule.sqrt_alpha(t));
    batch.noised_noise.push_back(schedule.sqrt_one_minus_alpha(t));
    batch.target_x0.push_back(target.x0);
    batch.target_noise.push_back(target.noise);
    batch.weight.push_back(loss_weight(schedule, prediction, weight, t));
  }
  return batch;
}

Reconstruction reconstruct(const NoiseSchedule& schedule, Prediction prediction, int t) {
  const double a = schedule.sqrt_alpha(t);
  const double s = schedule.sqrt_one_minus_alpha(t);
  if (is_v(prediction)) {
    return {a, -s, s, a};
  }
  if (a <= 0) {
    throw Error("timestep " + std::to_string(t) +
                " has SNR 0: an epsilon prediction can't be turned into an image there; use "
                "v-prediction");
  }
  return {1 / a, -s / a, 0, 1};
}

}  // namespace mantissa
