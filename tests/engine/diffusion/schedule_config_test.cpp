// scheduler_config.json of any scheduler of diffusers: diffusers' noise, loss weights and samples
// (tests/golden/make_schedules.py).
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/diffusion/samplers.h"
#include "engine/diffusion/vp_objective.h"
#include "tests/engine/diffusion/synthetic_model.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using nlohmann::json;

json cases() {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/schedules.json");
  return json::parse(file);
}

std::string name_of(const json& c) {
  return c["config"]["_class_name"].get<std::string>() + " " + c["config"].dump().substr(0, 200);
}

TEST(ScheduleOfDiffusers, NoiseAndLossWeights) {
  int compared = 0;
  for (const json& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const VpObjective objective(schedule_config_from_json(c["config"]));
    const NoiseSchedule& schedule = objective.schedule();
    EXPECT_EQ(schedule.steps(), c["config"].value("num_train_timesteps", 1000));
    for (std::size_t i = 0; i < c["at"].size(); ++i) {
      const int t = c["at"][i];
      const double expected = c["alphas_cumprod"][i];
      // diffusers' products are fp32; Euler keeps 2^-24 where SNR is 0.
      EXPECT_NEAR(schedule.alpha_cumprod(t), expected, 2e-5 * expected + 1e-7) << t;
      if (!c["min_snr"].empty()) {
        const double weight =
            objective.loss_weight(objective.level(t), {LossWeighting::min_snr, 5});
        const double wanted = c["min_snr"][i];
        EXPECT_NEAR(weight, wanted, 2e-3 * wanted) << t;  // 1 - ᾱ in fp32 loses bits at t = 0
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(ScheduleOfDiffusers, Samples) {
  int compared = 0;
  for (const json& c : cases()) {
    if (!c.contains("sampling")) {
      continue;
    }
    SCOPED_TRACE(name_of(c));
    const json& wanted = c["sampling"];
    const VpObjective objective(schedule_config_from_json(c["config"]));
    Sampler sampler(objective.sampling(sampler_from_name(wanted["kind"].get<std::string>()),
                                       wanted["steps"], 0));
    ASSERT_EQ(static_cast<std::size_t>(sampler.steps()), wanted["timesteps"].size());
    for (int i = 0; i < sampler.steps(); ++i) {
      const double timestep = wanted["timesteps"][static_cast<std::size_t>(i)];
      EXPECT_NEAR(sampler.timestep(i), timestep, 2e-4);
    }
    const std::vector<float> x = test::sampled(sampler, wanted["x"].size());
    double error = 0, norm = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double expected = wanted["x"][k];
      error += (x[k] - expected) * (x[k] - expected);
      norm += expected * expected;
    }
    // Both step in fp32 and begin at 1.5·sigma, 4096 with zero terminal SNR: an ulp of that remains
    // after subtraction.
    const double ulp = std::ldexp(1.5 * sampler.init_noise_sigma(), -23);
    EXPECT_LE(std::sqrt(error),
              1e-5 * std::sqrt(norm) + ulp * std::sqrt(static_cast<double>(x.size())));
    ++compared;
  }
  EXPECT_EQ(compared, 20);
}

TEST(ScheduleOfDiffusers, WhatIsNoVpScheduleIsNamed) {
  const std::pair<json, const char*> bad[] = {
      {{{"_class_name", "FlowMatchEulerDiscreteScheduler"}}, "FlowMatchEulerDiscreteScheduler"},
      {{{"_class_name", "EDMEulerScheduler"}}, "EDMEulerScheduler"},
      {{{"timestep_type", "continuous"}}, "timestep_type"},
      {{{"use_flow_sigmas", true}}, "use_flow_sigmas"},
      {{{"shift_terminal", 0.1}}, "shift_terminal"},
      {{{"predict_epsilon", false}}, "predict_epsilon"},
      {{{"snr_shift_scale", 3.0}}, "snr_shift_scale"},
      {{{"num_train_timesteps", 4}, {"trained_betas", {0.1, 0.2, 0.3}}}, "trained_betas"},
      {{{"num_train_timesteps", 3}, {"trained_betas", {0.1, 1.2, 0.3}}}, "trained_betas"}};
  for (const auto& [config, field] : bad) {
    test::expect_error_with([&] { schedule_config_from_json(config); },
                            {"scheduler_config.json", field});
  }
}

}  // namespace
}  // namespace mantissa
