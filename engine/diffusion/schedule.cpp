#include "engine/diffusion/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "engine/core/error.h"

namespace mantissa {

namespace {

/// β of arXiv 2102.09672's form: ratios of a decreasing ᾱ(u), u from 0 to 1, capped at 0.999.
double capped_beta(double (*bar)(double), int t, int steps) {
  return std::min(1 - bar((t + 1.0) / steps) / bar(static_cast<double>(t) / steps), 0.999);
}

double cosine_bar(double u) {
  const double x = std::cos((u + 0.008) / 1.008 * std::numbers::pi / 2);
  return x * x;
}

/// Noise levels that crowd around SNR 1 (arXiv 2407.03297); √ of ᾱ, as in diffusers.
double laplace_bar(double u) {
  const double side = 0.5 - u;
  const double lambda = -0.5 * std::copysign(1.0, side) * std::log(1 - 2 * std::abs(side) + 1e-6);
  const double snr = std::exp(lambda);
  return std::sqrt(snr / (1 + snr));
}

std::vector<double> make_betas(const ScheduleConfig& c) {
  if (!c.trained_betas.empty()) {
    return c.trained_betas;
  }
  const int n = c.num_train_timesteps;
  std::vector<double> betas(static_cast<std::size_t>(n));
  const double last = std::max(1, n - 1);
  for (int t = 0; t < n; ++t) {
    double beta = 0;
    switch (c.beta_schedule) {
      case BetaSchedule::scaled_linear: {
        const double a = std::sqrt(c.beta_start);
        const double root = a + t / last * (std::sqrt(c.beta_end) - a);
        beta = root * root;
        break;
      }
      case BetaSchedule::linear:
        beta = c.beta_start + t / last * (c.beta_end - c.beta_start);
        break;
      case BetaSchedule::cosine:
        beta = capped_beta(cosine_bar, t, n);
        break;
      case BetaSchedule::laplace:
        beta = capped_beta(laplace_bar, t, n);
        break;
      case BetaSchedule::sigmoid:
        beta = c.beta_start + (c.beta_end - c.beta_start) / (1 + std::exp(6 - 12 * t / last));
        break;
    }
    betas[static_cast<std::size_t>(t)] = beta;
  }
  return betas;
}

}  // namespace

NoiseSchedule::NoiseSchedule(const ScheduleConfig& config) : config_(config) {
  if (config.num_train_timesteps < 2) {
    throw Error(message<"noise schedule: num_train_timesteps must be at least 2; it is {value}">(
        config.num_train_timesteps));
  }
  if (config.prediction == Prediction::automatic) {
    throw Error(Message::verbatim(
        "noise schedule: the prediction type must be decided (epsilon or v) beforehand"));
  }
  betas_ = make_betas(config);
  alphas_cumprod_.reserve(betas_.size());
  double product = 1;
  for (const double beta : betas_) {
    product *= 1 - beta;
    alphas_cumprod_.push_back(product);
  }
  if (config.zero_terminal_snr) {
    const double first = std::sqrt(alphas_cumprod_.front());
    const double last = std::sqrt(alphas_cumprod_.back());
    for (double& alpha : alphas_cumprod_) {
      const double root = (std::sqrt(alpha) - last) * (first / (first - last));
      alpha = root * root;
    }
    alphas_cumprod_.back() = 0;
  }
  sigmas_.reserve(alphas_cumprod_.size());
  for (const double alpha : alphas_cumprod_) {
    sigmas_.push_back(alpha > 0 ? std::sqrt((1 - alpha) / alpha)
                                : std::numeric_limits<double>::infinity());
  }
}

double NoiseSchedule::alpha_cumprod(int t) const {
  if (t < 0 || t >= steps()) {
    throw Error(Message::verbatim("timestep " + std::to_string(t) + " lies outside 0 to " +
                                  std::to_string(steps() - 1) + " of the noise schedule"));
  }
  return alphas_cumprod_[static_cast<std::size_t>(t)];
}

double NoiseSchedule::sqrt_alpha(int t) const {
  return std::sqrt(alpha_cumprod(t));
}

double NoiseSchedule::sqrt_one_minus_alpha(int t) const {
  return std::sqrt(1 - alpha_cumprod(t));
}

double NoiseSchedule::sigma(int t) const {
  alpha_cumprod(t);
  return sigmas_[static_cast<std::size_t>(t)];
}

double NoiseSchedule::snr(int t) const {
  const double alpha = alpha_cumprod(t);
  return alpha / (1 - alpha);
}

}  // namespace mantissa
