#include "engine/diffusion/vp_objective.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

VpObjective objective(Prediction prediction, bool zero_terminal = false, int steps = 1000) {
  ScheduleConfig config;
  config.zero_terminal_snr = zero_terminal;
  config.prediction = prediction;
  config.num_train_timesteps = steps;
  return VpObjective(config);
}

NoiseCoefficients at(const VpObjective& o, int t) {
  return o.coefficients(o.level(t));
}
double weight_at(const VpObjective& o, const LossWeight& weight, int t) {
  return o.loss_weight(o.level(t), weight);
}

TEST(VpObjective, LevelsAreTimestepsOfTheSchedule) {
  for (const int steps : {2, 3, 1000, 4097, 100'000}) {
    const VpObjective o = objective(Prediction::epsilon, false, steps);
    for (int t = 0; t < steps; ++t) {
      ASSERT_EQ(o.timestep(o.level(t)), t) << steps;
    }
    EXPECT_THROW(o.level(steps), Error);
    EXPECT_THROW(o.level(-1), Error);
    EXPECT_THROW(o.timestep(1.01), Error);
    EXPECT_EQ(o.timestep(o.trained_level(0, {})), 0);
    EXPECT_EQ(o.timestep(o.trained_level(1 - 0x1p-53, {})), steps - 1);
  }
}

// Between two timesteps sigma is interpolated, as in Euler with linspace timesteps.
TEST(VpObjective, LevelsBetweenTimesteps) {
  const VpObjective o = objective(Prediction::v);
  const NoiseSchedule& s = o.schedule();
  const NoiseCoefficients c = o.coefficients(o.level(700.25));
  const double sigma = 0.75 * s.sigma(700) + 0.25 * s.sigma(701);
  EXPECT_NEAR(c.noised_noise / c.noised_x0, sigma, 1e-12);
  EXPECT_NEAR(c.noised_x0 * c.noised_x0 + c.noised_noise * c.noised_noise, 1, 1e-15);
}

TEST(VpObjective, TargetsOfEpsilonAndV) {
  const NoiseCoefficients e = at(objective(Prediction::epsilon), 500);
  EXPECT_EQ(e.target_noise, 1);
  EXPECT_EQ(e.target_x0, 0);
  const NoiseCoefficients v = at(objective(Prediction::v), 500);
  EXPECT_NEAR(v.target_noise, std::sqrt(0.27633268), 1e-8);
  EXPECT_NEAR(v.target_x0, -std::sqrt(1 - 0.27633268), 1e-8);
}

TEST(VpObjective, ReconstructionUndoesTheTarget) {
  const double x0 = 0.7, noise = -1.3;
  for (const Prediction p : {Prediction::epsilon, Prediction::v}) {
    const VpObjective o = objective(p, true);
    for (const int t : {0, 1, 350, 998, 999}) {
      if (p == Prediction::epsilon && t == 999) {
        EXPECT_THROW(o.reconstruct(o.level(t)), Error);
        continue;
      }
      const NoiseCoefficients c = at(o, t);
      const double x = c.noised_x0 * x0 + c.noised_noise * noise;
      const double output = c.target_noise * noise + c.target_x0 * x0;
      const Reconstruction r = o.reconstruct(o.level(t));
      EXPECT_NEAR(r.x0_x * x + r.x0_output * output, x0, 1e-9) << t;
      EXPECT_NEAR(r.noise_x * x + r.noise_output * output, noise, 1e-9) << t;
    }
  }
}

TEST(VpObjective, LossWeights) {
  const VpObjective epsilon = objective(Prediction::epsilon), v = objective(Prediction::v);
  const LossWeight min_snr{LossWeighting::min_snr, 5};
  EXPECT_NEAR(weight_at(epsilon, min_snr, 0), 0.00425362, 6e-9);
  EXPECT_NEAR(weight_at(v, min_snr, 0), 0.00425, 6e-9);
  EXPECT_NEAR(weight_at(epsilon, min_snr, 100), 0.591443, 6e-7);
  EXPECT_NEAR(weight_at(v, min_snr, 100), 0.528883, 6e-7);
  EXPECT_EQ(weight_at(epsilon, min_snr, 500), 1);
  EXPECT_NEAR(weight_at(v, min_snr, 500), 0.276333, 6e-7);
  EXPECT_EQ(weight_at(v, {}, 500), 1);
  const LossWeight debiased{LossWeighting::debiased, 0};
  EXPECT_NEAR(weight_at(epsilon, debiased, 0), 1 / std::sqrt(1000.0), 1e-12);
  EXPECT_NEAR(weight_at(epsilon, debiased, 500), 1 / std::sqrt(0.38185), 1e-4);
  EXPECT_NEAR(weight_at(v, debiased, 500), 1 - 0.27633268, 1e-8);
  EXPECT_THROW(weight_at(v, {LossWeighting::min_snr, 0}, 1), Error);
}

TEST(VpObjective, LossWeightsWithZeroTerminalSnr) {
  const LossWeight min_snr{LossWeighting::min_snr, 5};
  const VpObjective v = objective(Prediction::v, true);
  EXPECT_EQ(weight_at(v, min_snr, 999), 0);
  EXPECT_NEAR(weight_at(v, min_snr, 500), 0.24101878, 6e-9);
  try {
    weight_at(objective(Prediction::epsilon, true), min_snr, 10);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "N5");
    EXPECT_EQ(e.kind(), ErrorKind::precision);
  }
}

TEST(VpObjective, ABatchHoldsOneValuePerSample) {
  const VpObjective o = objective(Prediction::v);
  const LossWeight min_snr{LossWeighting::min_snr, 5};
  const BatchCoefficients b =
      batch_coefficients(o, {.weight = min_snr}, std::vector<double>{3, 700});
  ASSERT_EQ(b.weight.size(), 2u);
  EXPECT_EQ(b.noised_x0[1], o.schedule().sqrt_alpha(700));
  EXPECT_EQ(b.noised_noise[1], o.schedule().sqrt_one_minus_alpha(700));
  EXPECT_EQ(b.target_noise[0], o.schedule().sqrt_alpha(3));
  EXPECT_EQ(b.target_x0[0], -o.schedule().sqrt_one_minus_alpha(3));
  EXPECT_EQ(b.weight[1], weight_at(o, min_snr, 700));
  EXPECT_TRUE(b.width.empty()) << "the squared error has none";
}

// conditional_loss of sd-scripts: c by the schedule, and smooth_l1 as huber over c.
TEST(VpObjective, HuberWidthsFollowTheNoise) {
  const VpObjective o = objective(Prediction::epsilon);
  LossRule rule{.error = LossType::huber, .huber_c = 0.1};
  const std::vector<double> timesteps{0, 500, 999};
  EXPECT_EQ(batch_coefficients(o, rule, timesteps).width, (std::vector<double>{0.1, 0.1, 0.1}));
  rule.schedule = HuberSchedule::snr;
  const BatchCoefficients snr = batch_coefficients(o, rule, timesteps);
  for (std::size_t i = 0; i < timesteps.size(); ++i) {
    const double sigma = snr.noised_noise[i] / snr.noised_x0[i];
    EXPECT_NEAR(snr.width[i], 0.9 / ((1 + sigma) * (1 + sigma)) + 0.1, 1e-12);
  }
  rule.schedule = HuberSchedule::exponential;
  const BatchCoefficients falling = batch_coefficients(o, rule, timesteps);
  // exp(ln(c)/1000 · t)
  EXPECT_DOUBLE_EQ(falling.width[0], 1);
  EXPECT_NEAR(falling.width[1], std::pow(0.1, 0.5), 1e-12);
  EXPECT_NEAR(falling.width[2], std::pow(0.1, 0.999), 1e-12);
  rule.error = LossType::smooth_l1;
  const BatchCoefficients smooth = batch_coefficients(o, rule, timesteps);
  for (std::size_t i = 0; i < timesteps.size(); ++i) {
    EXPECT_EQ(smooth.weight[i], falling.weight[i] / falling.width[i]);
  }
}

}  // namespace
}  // namespace mantissa
