#include "engine/diffusion/schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "engine/core/error.h"

namespace mantissa {

namespace {

using Json = nlohmann::json;

[[noreturn]] void bad_field(const char* field, const std::string& expected, const Json& got) {
  throw Error(std::string("scheduler_config.json: ") + field + " must be " + expected + "; it is " +
              got.dump().substr(0, 80));
}

template <typename T>
void read_number(const Json& config, const char* field, T low, T high, T& value) {
  const auto found = config.find(field);
  if (found == config.end() || found->is_null()) {
    return;
  }
  const bool kind = std::is_integral_v<T> ? found->is_number_integer() : found->is_number();
  const double number = kind ? found->get<double>() : 0;
  if (!kind || !(number >= static_cast<double>(low) && number <= static_cast<double>(high))) {
    bad_field(field,
              std::string(std::is_integral_v<T> ? "an integer" : "a number") + " from " +
                  Json(low).dump() + " to " + Json(high).dump(),
              *found);
  }
  value = found->get<T>();
}

void read_flag(const Json& config, const char* field, bool& value) {
  const auto found = config.find(field);
  if (found == config.end() || found->is_null()) {
    return;
  }
  if (!found->is_boolean()) {
    bad_field(field, "true or false", *found);
  }
  value = found->get<bool>();
}

template <typename E>
void read_choice(const Json& config, const char* field,
                 std::initializer_list<std::pair<const char*, E>> choices, E& value) {
  const auto found = config.find(field);
  if (found == config.end() || found->is_null()) {
    return;
  }
  std::string expected;
  for (const auto& [name, choice] : choices) {
    if (*found == name) {
      value = choice;
      return;
    }
    expected += (expected.empty() ? "" : " or ") + std::string(name);
  }
  bad_field(field, expected, *found);
}

std::vector<double> make_betas(const ScheduleConfig& c) {
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
      case BetaSchedule::cosine: {
        // ᾱ(u) = cos²((u + 0.008)/1.008·π/2), arXiv 2102.09672; β capped at 0.999.
        const auto bar = [](double u) {
          const double x = std::cos((u + 0.008) / 1.008 * std::numbers::pi / 2);
          return x * x;
        };
        beta = std::min(1 - bar((t + 1.0) / n) / bar(static_cast<double>(t) / n), 0.999);
        break;
      }
    }
    betas[static_cast<std::size_t>(t)] = beta;
  }
  return betas;
}

}  // namespace

ScheduleConfig schedule_config_from_json(const Json& config) {
  if (!config.is_object()) {
    throw Error("scheduler_config.json must hold an object; it holds " +
                std::string(config.type_name()));
  }
  ScheduleConfig c;
  if (const auto betas = config.find("trained_betas"); betas != config.end() && !betas->is_null()) {
    bad_field("trained_betas", "absent (only schedules given by a formula can be trained)", *betas);
  }
  read_number(config, "beta_start", 1e-9, 0.5, c.beta_start);
  read_number(config, "beta_end", 1e-9, 0.999, c.beta_end);
  read_number(config, "num_train_timesteps", 2, 100'000, c.num_train_timesteps);
  read_choice<BetaSchedule>(config, "beta_schedule",
                            {{"scaled_linear", BetaSchedule::scaled_linear},
                             {"linear", BetaSchedule::linear},
                             {"squaredcos_cap_v2", BetaSchedule::cosine}},
                            c.beta_schedule);
  read_choice<Prediction>(config, "prediction_type",
                          {{"epsilon", Prediction::epsilon}, {"v_prediction", Prediction::v}},
                          c.prediction);
  read_choice<TimestepSpacing>(config, "timestep_spacing",
                               {{"linspace", TimestepSpacing::linspace},
                                {"leading", TimestepSpacing::leading},
                                {"trailing", TimestepSpacing::trailing}},
                               c.spacing);
  read_number(config, "steps_offset", 0, 1000, c.steps_offset);
  read_flag(config, "rescale_betas_zero_snr", c.zero_terminal_snr);
  read_flag(config, "set_alpha_to_one", c.set_alpha_to_one);
  return c;
}

NoiseSchedule::NoiseSchedule(const ScheduleConfig& config) : config_(config) {
  if (config.num_train_timesteps < 2) {
    throw Error("noise schedule: num_train_timesteps must be at least 2; it is " +
                std::to_string(config.num_train_timesteps));
  }
  if (config.prediction == Prediction::automatic) {
    throw Error("noise schedule: the prediction type must be decided (epsilon or v) beforehand");
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
    throw Error("timestep " + std::to_string(t) + " lies outside 0 to " +
                std::to_string(steps() - 1) + " of the noise schedule");
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
