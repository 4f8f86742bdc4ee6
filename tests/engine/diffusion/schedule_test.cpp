#include "engine/diffusion/schedule.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numbers>

#include "engine/core/error.h"

namespace mantissa {
namespace {

NoiseSchedule schedule(bool zero_terminal = false, Prediction prediction = Prediction::epsilon) {
  ScheduleConfig config;
  config.zero_terminal_snr = zero_terminal;
  config.prediction = prediction;
  return NoiseSchedule(config);
}

TEST(NoiseSchedule, KnownValues) {
  const NoiseSchedule s = schedule();
  struct Row {
    int t;
    double beta, alpha, sigma, snr;
  };
  const Row rows[] = {{0, 0.00085000, 0.99915000, 0.029167, 1175.47},
                      {1, 0.00085470, 0.99829603, 0.041314, 585.864},
                      {100, 0.00138397, 0.89422348, 0.343931, 8.45389},
                      {250, 0.00242776, 0.67379263, 0.695799, 2.06553},
                      {500, 0.00481495, 0.27633268, 1.618279, 0.38185},
                      {750, 0.00801158, 0.05616985, 4.099164, 0.0595127},
                      {900, 0.01031808, 0.01415114, 8.346597, 0.0143543},
                      {999, 0.01200000, 0.00466010, 14.614641, 0.00468192}};
  for (const Row& row : rows) {
    EXPECT_NEAR(s.betas()[static_cast<std::size_t>(row.t)], row.beta, 6e-9) << row.t;
    EXPECT_NEAR(s.alpha_cumprod(row.t), row.alpha, 6e-9) << row.t;
    EXPECT_NEAR(s.sigma(row.t), row.sigma, 6e-7) << row.t;
    EXPECT_NEAR(s.snr(row.t), row.snr, row.snr * 6e-6) << row.t;
    EXPECT_NEAR(s.sqrt_alpha(row.t) * s.sqrt_alpha(row.t) +
                    s.sqrt_one_minus_alpha(row.t) * s.sqrt_one_minus_alpha(row.t),
                1, 1e-15);
  }
  EXPECT_GE(s.snr(146), 5);
  EXPECT_LT(s.snr(147), 5);
  EXPECT_GE(s.snr(353), 1);
  EXPECT_LT(s.snr(354), 1);
  EXPECT_THROW(s.snr(1000), Error);
  EXPECT_THROW(s.sigma(-1), Error);
}

TEST(NoiseSchedule, ZeroTerminal) {
  const NoiseSchedule s = schedule(true, Prediction::v);
  const std::pair<int, double> rows[] = {
      {0, 0.99915000}, {1, 0.99823345}, {100, 0.88676128}, {500, 0.24101878}, {900, 0.00296039}};
  for (const auto& [t, alpha] : rows) {
    EXPECT_NEAR(s.alpha_cumprod(t), alpha, 6e-9) << t;
  }
  EXPECT_NEAR(s.alpha_cumprod(998), 2.0e-7, 1e-8);
  EXPECT_EQ(s.alpha_cumprod(999), 0);
  EXPECT_TRUE(std::isinf(s.sigma(999)));
  EXPECT_EQ(s.snr(999), 0);
}

TEST(NoiseSchedule, LinearAndCosine) {
  ScheduleConfig config;
  config.beta_schedule = BetaSchedule::linear;
  config.beta_start = 0.0001;
  config.beta_end = 0.02;
  const NoiseSchedule linear(config);
  EXPECT_NEAR(linear.betas()[500], 0.0001 + 500.0 / 999 * 0.0199, 1e-15);
  EXPECT_NEAR(linear.alpha_cumprod(999), 4.0358e-5, 1e-8);
  config.beta_schedule = BetaSchedule::cosine;
  const NoiseSchedule cosine(config);
  EXPECT_NEAR(cosine.betas()[999], 0.999, 1e-12);
  // The product of the ratios telescopes to the formula itself.
  const double f0 = std::pow(std::cos(0.008 / 1.008 * std::numbers::pi / 2), 2);
  EXPECT_NEAR(cosine.alpha_cumprod(499),
              std::pow(std::cos(0.508 / 1.008 * std::numbers::pi / 2), 2) / f0, 1e-12);
}

TEST(ScheduleConfig, FromJson) {
  const ScheduleConfig c = schedule_config_from_json(nlohmann::json::parse(R"({
    "_class_name": "EulerDiscreteScheduler", "beta_end": 0.02, "beta_schedule": "linear",
    "beta_start": 0.0001, "num_train_timesteps": 500, "prediction_type": "v_prediction",
    "rescale_betas_zero_snr": true, "steps_offset": 0, "timestep_spacing": "trailing",
    "trained_betas": null, "set_alpha_to_one": true})"));
  EXPECT_EQ(c.beta_end, 0.02);
  EXPECT_EQ(c.beta_schedule, BetaSchedule::linear);
  EXPECT_EQ(c.num_train_timesteps, 500);
  EXPECT_EQ(c.prediction, Prediction::v);
  EXPECT_TRUE(c.zero_terminal_snr);
  EXPECT_TRUE(c.set_alpha_to_one);
  EXPECT_EQ(c.steps_offset, 0);
  EXPECT_EQ(c.spacing, TimestepSpacing::trailing);
  EXPECT_EQ(NoiseSchedule(c).steps(), 500);
}

TEST(ScheduleConfig, RefusesNamingTheField) {
  const std::pair<const char*, const char*> bad[] = {
      {R"({"beta_start": "x"})", "beta_start"},
      {R"({"beta_end": 1.5})", "beta_end"},
      {R"({"num_train_timesteps": 1000.5})", "num_train_timesteps"},
      {R"({"num_train_timesteps": 1})", "num_train_timesteps"},
      {R"({"num_train_timesteps": 99999999999})", "num_train_timesteps"},
      {R"({"prediction_type": "sample"})", "prediction_type"},
      {R"({"beta_schedule": "exp"})", "beta_schedule"},
      {R"({"timestep_spacing": 3})", "timestep_spacing"},
      {R"({"rescale_betas_zero_snr": 1})", "rescale_betas_zero_snr"},
      {R"({"trained_betas": [0.1]})", "trained_betas"},
      {R"([])", "object"}};
  for (const auto& [text, field] : bad) {
    try {
      schedule_config_from_json(nlohmann::json::parse(text));
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(field), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace mantissa
