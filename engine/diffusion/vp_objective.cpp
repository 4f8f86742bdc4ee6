#include "engine/diffusion/vp_objective.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "engine/core/error.h"
#include "engine/precision/catalogue.h"

namespace mantissa {

double VpObjective::timestep(double level) const {
  require_level(level);
  const double t = level * (schedule_.steps() - 1);
  // An integer timestep divided and multiplied by steps - 1 stays the same.
  const double whole = std::round(t);
  return std::abs(t - whole) < 1e-9 * schedule_.steps() ? whole : t;
}

double VpObjective::level(double timestep) const {
  const int last = schedule_.steps() - 1;
  if (!(timestep >= 0 && timestep <= last)) {
    throw Error(Message::verbatim(
        fmt::format("timestep {} is outside 0 to {} of the noise schedule", timestep, last)));
  }
  return timestep / last;
}

double VpObjective::trained_level(double u, const LevelShift&) const {
  const int steps = schedule_.steps();
  return level(std::clamp(static_cast<int>(u * steps), 0, steps - 1));
}

double VpObjective::alpha_cumprod(double level) const {
  const double t = timestep(level);
  const int below = static_cast<int>(t);
  if (t == below) {
    return schedule_.alpha_cumprod(below);
  }
  const double low = schedule_.sigma(below), high = schedule_.sigma(below + 1);
  const double sigma = low + (t - below) * (high - low);
  return 1 / (sigma * sigma + 1);
}

NoiseCoefficients VpObjective::coefficients(double level) const {
  const double alpha = alpha_cumprod(level);
  const double a = std::sqrt(alpha), s = std::sqrt(1 - alpha);
  return is_v() ? NoiseCoefficients{a, s, -s, a} : NoiseCoefficients{a, s, 0, 1};
}

Reconstruction VpObjective::reconstruct(double level) const {
  const NoiseCoefficients c = coefficients(level);
  const double a = c.noised_x0, s = c.noised_noise;
  if (is_v()) {
    return {a, -s, s, a};
  }
  if (a <= 0) {
    throw Error(message<"timestep {timestep} has SNR 0: an epsilon prediction can't be turned into "
                        "an image there; use v-prediction">(fmt::format("{}", timestep(level))));
  }
  return {1 / a, -s / a, 0, 1};
}

double VpObjective::loss_weight(double level, const LossWeight& weight) const {
  const double alpha = alpha_cumprod(level);
  const double snr = alpha / (1 - alpha);
  const bool v = is_v();
  if (!v && schedule_.alphas_cumprod().back() <= 0) {
    const CatalogueEntry& n5 = catalogue_entry("N5");
    throw Error(ErrorKind::precision,
                message<"{id}: {message} Fix: {fix}">(n5.id, Message(std::string(n5.refusal), {}),
                                                      Message(std::string(n5.fix), {})),
                "N5");
  }
  switch (weight.kind) {
    case LossWeighting::uniform:
      return 1;
    case LossWeighting::min_snr: {
      if (!(weight.gamma > 0)) {
        throw Error(message<"training.min_snr_gamma must be above 0; it is {value}">(
            fmt::format("{}", weight.gamma)));
      }
      const double capped = std::min(snr, weight.gamma);
      return v ? capped / (snr + 1) : capped / snr;
    }
    case LossWeighting::debiased:
      return v ? 1 / (snr + 1) : 1 / std::sqrt(std::min(snr, 1000.0));
  }
  return 1;
}

}  // namespace mantissa
