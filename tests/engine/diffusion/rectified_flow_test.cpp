#include "engine/diffusion/rectified_flow.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/diffusion/samplers.h"
#include "tests/engine/diffusion/synthetic_model.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using nlohmann::json;

json golden() {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/flow.json");
  return json::parse(file);
}

RectifiedFlow flow(double shift) {
  FlowConfig config;
  config.shift = shift;
  return RectifiedFlow(config);
}

TEST(RectifiedFlow, SamplesAsDiffusersDoes) {
  const json cases = golden()["samples"];
  ASSERT_GE(cases.size(), 20u);
  std::set<std::string> kinds{"ddim", "euler_a"};  // tested below
  for (const json& c : cases) {
    kinds.insert(c["kind"]);
    SCOPED_TRACE(c["kind"].dump() + " " + c["steps"].dump() + " steps, shift " + c["shift"].dump() +
                 ", tokens " + c["tokens"].dump());
    FlowConfig config;
    config.shift = c["shift"];
    if (c["tokens"] != 0) {
      config.dynamic = DynamicShift{};
    }
    const RectifiedFlow objective(config);
    Sampler sampler(objective.sampling(sampler_from_name(c["kind"].get<std::string>()), c["steps"],
                                       c["tokens"]));
    ASSERT_EQ(sampler.steps(), std::ssize(c["timesteps"]));
    for (int i = 0; i < sampler.steps(); ++i) {
      EXPECT_NEAR(sampler.timestep(i), c["timesteps"][static_cast<std::size_t>(i)].get<double>(),
                  2e-4);
    }
    const std::vector<float> x = test::sampled(sampler);
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_NEAR(x[k], c["x"][k].get<double>(), 5e-6);
    }
  }
  for (const std::string_view name : sampler_names()) {
    EXPECT_TRUE(kinds.contains(std::string(name))) << "tests/golden/make_flow.py: " << name;
  }
}

TEST(RectifiedFlow, DynamicShiftsAreThoseOfDiffusers) {
  const json cases = golden()["sigmas"];
  ASSERT_EQ(cases.size(), 8u);
  for (const json& c : cases) {
    SCOPED_TRACE(c["config"].dump() + ", tokens " + c["tokens"].dump());
    const RectifiedFlow objective(flow_config_from_json(c["config"]));
    const auto steps = static_cast<int>(c["sigmas"].size()) - 1;
    const SamplingPlan plan = objective.sampling(SamplerKind::euler, steps, c["tokens"]);
    for (std::size_t i = 0; i < plan.sigmas.size(); ++i) {
      EXPECT_NEAR(plan.sigmas[i], c["sigmas"][i].get<double>(), 1e-6) << i;
    }
    for (int i = 1; i < steps; ++i) {  // training is shifted like sampling
      EXPECT_NEAR(objective.trained_level(1 - static_cast<double>(i) / steps, {c["tokens"], {}}),
                  plan.sigmas[static_cast<std::size_t>(i)], 1e-12);
    }
  }
}

TEST(RectifiedFlow, ADynamicShiftNeedsTheImagesSize) {
  FlowConfig config;
  config.dynamic = DynamicShift{};
  const RectifiedFlow objective(config);
  EXPECT_THROW(objective.sampling(SamplerKind::euler, 4, 0), Error);
  EXPECT_THROW(objective.trained_level(0.5, {}), Error);
  EXPECT_EQ(objective.trained_level(0.5, {0, 1}), 0.5);
  config.dynamic = DynamicShift{0.1, 1.15, 256, 512, DynamicShift::Kind::linear};
  EXPECT_THROW(RectifiedFlow(config).trained_level(0.5, {200, {}}), Error) << "below 0 there";
  EXPECT_EQ(image_tokens(64, 48, 2), 32 * 24);
}

TEST(RectifiedFlow, DdimIsEuler) {
  const RectifiedFlow objective = flow(3);
  Sampler euler(objective.sampling(SamplerKind::euler, 9, 0));
  Sampler ddim(objective.sampling(SamplerKind::ddim, 9, 0));
  EXPECT_EQ(test::sampled(euler), test::sampled(ddim));
}

// A model that knows image and noise: every step's state must be (1 - t)·x0 plus noise whose
// variance is t², the fresh noise's plus the rest of the first.
TEST(RectifiedFlow, EulerAKeepsTheVarianceOfEveryLevel) {
  const SamplingPlan plan = flow(2).sampling(SamplerKind::euler_a, 8, 0);
  double image = 0, noise = 1, fresh = 0;  // x = image·x0 + noise·ε + √fresh·n
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const SamplerStep& s = plan.steps[i];
    const double t = plan.sigmas[i], next = plan.sigmas[i + 1];
    // The output matches the noise in the state: v = (x - x0)/t.
    const double towards_x0 = -s.gain / t, keep = s.keep + s.gain / t;
    image = keep * image + towards_x0;
    noise = keep * noise;
    fresh = keep * keep * fresh + s.noise * s.noise;
    EXPECT_NEAR(image, 1 - next, 1e-12) << i;
    EXPECT_NEAR(noise * noise + fresh, next * next, 1e-12) << i;
    EXPECT_EQ(s.noise > 0, i + 1 < plan.steps.size());
  }
}

TEST(RectifiedFlow, ReconstructionUndoesTheTarget) {
  const RectifiedFlow objective = flow(1);
  const double x0 = 0.7, noise = -1.3;
  for (const double t : {0.0, 0.01, 0.5, 1.0}) {
    const NoiseCoefficients c = objective.coefficients(t);
    const double x = c.noised_x0 * x0 + c.noised_noise * noise;
    const double output = c.target_x0 * x0 + c.target_noise * noise;
    EXPECT_NEAR(output, noise - x0, 1e-15);
    const Reconstruction r = objective.reconstruct(t);
    EXPECT_NEAR(r.x0_x * x + r.x0_output * output, x0, 1e-12) << t;
    EXPECT_NEAR(r.noise_x * x + r.noise_output * output, noise, 1e-12) << t;
  }
  EXPECT_THROW(objective.coefficients(1.5), Error);
  EXPECT_THROW(objective.coefficients(std::nan("")), Error);
}

TEST(RectifiedFlow, WeightsAreThoseOfX0) {
  const RectifiedFlow objective = flow(1);
  EXPECT_EQ(objective.loss_weight(0.3, {}), 1);
  const LossWeight min_snr{LossWeighting::min_snr, 5};
  for (const double t : {0.1, 0.3, 0.31, 0.5, 0.9}) {
    const double snr = (1 - t) * (1 - t) / (t * t);
    EXPECT_NEAR(objective.loss_weight(t, min_snr), std::min(snr, 5.0) * t * t, 1e-15) << t;
    EXPECT_EQ(objective.loss_weight(t, {LossWeighting::debiased, 0}), t * t);
  }
  EXPECT_EQ(objective.loss_weight(0, min_snr), 0);
  EXPECT_THROW(objective.loss_weight(0.5, {LossWeighting::min_snr, 0}), Error);
}

TEST(RectifiedFlow, TimestepsAndLevelsAreTheSame) {
  const RectifiedFlow objective = flow(3);
  EXPECT_EQ(objective.timestep(0.25), 250);
  EXPECT_EQ(objective.level(250), 0.25);
  EXPECT_THROW(objective.level(1001), Error);
  EXPECT_EQ(objective.trained_level(0, {}), 0);
  EXPECT_NEAR(objective.trained_level(0.5, {}), 0.75, 1e-15);  // 3·0.5/(1 + 2·0.5)
  EXPECT_NEAR(objective.trained_level(0.5, {0, 4}), 0.8, 1e-15);
  EXPECT_THROW(objective.trained_level(0.5, {0, 0}), Error);
  EXPECT_THROW(flow(0), Error);
  EXPECT_THROW(flow(-1), Error);
}

TEST(RectifiedFlow, ConfigurationsSurvive) {
  FlowConfig config;
  config.shift = 1.7;
  EXPECT_EQ(flow_config_from_json(to_json(config)), config);
  for (const auto kind : {DynamicShift::Kind::exponential, DynamicShift::Kind::linear}) {
    config.dynamic = DynamicShift{0.5, 1.15, 256, 6400, kind};
    EXPECT_EQ(flow_config_from_json(to_json(config)), config);
  }
  config.terminal = 0.02;
  EXPECT_EQ(flow_config_from_json(to_json(config)), config);
  EXPECT_TRUE(is_flow_config(to_json(config)));
  EXPECT_FALSE(is_flow_config(json::parse(R"({"_class_name": "DDIMScheduler"})")));
  EXPECT_FALSE(is_flow_config(json::parse(R"([])")));
}

TEST(RectifiedFlow, BadConfigurationsNameTheField) {
  const std::pair<const char*, const char*> bad[] = {
      {R"({"shift": 0})", "shift"},
      {R"({"shift": "3"})", "shift"},
      {R"({"num_train_timesteps": 1})", "num_train_timesteps"},
      {R"({"shift_terminal": 1})", "shift_terminal"},
      {R"({"shift_terminal": -0.02})", "shift_terminal"},
      {R"({"invert_sigmas": true})", "invert_sigmas"},
      {R"({"use_dynamic_shifting": true, "time_shift_type": "cubic"})", "time_shift_type"},
      {R"({"use_dynamic_shifting": true, "max_image_seq_len": 256})", "max_image_seq_len"},
      {R"({"another": 1})", "another"}};
  for (const auto& [text, field] : bad) {
    test::expect_error_with([&] { flow_config_from_json(json::parse(text)); }, {field});
  }
}

}  // namespace
}  // namespace mantissa
