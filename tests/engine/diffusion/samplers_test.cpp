#include "engine/diffusion/samplers.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "engine/core/error.h"
#include "engine/diffusion/vp_objective.h"
#include "tests/engine/diffusion/synthetic_model.h"

namespace mantissa {
namespace {

constexpr std::size_t kCount = 12;

TimestepSpacing spacing_from(const std::string& name) {
  return name == "linspace"  ? TimestepSpacing::linspace
         : name == "leading" ? TimestepSpacing::leading
                             : TimestepSpacing::trailing;
}

VpObjective objective(TimestepSpacing spacing, Prediction prediction = Prediction::epsilon,
                      bool zero_terminal_snr = false) {
  ScheduleConfig config;
  config.spacing = spacing;
  config.prediction = prediction;
  config.zero_terminal_snr = zero_terminal_snr;
  return VpObjective(config);
}

Sampler make(SamplerKind kind, int steps, TimestepSpacing spacing,
             Prediction prediction = Prediction::epsilon) {
  return Sampler(objective(spacing, prediction).sampling(kind, steps, 0));
}

TEST(Samplers, FollowDiffusers) {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/samplers.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_GE(cases.size(), 60u);
  double worst = 0;
  std::set<std::string> kinds;
  for (const auto& c : cases) {
    kinds.insert(c["kind"]);
    const std::string name = c["kind"].get<std::string>() + " " +
                             c["prediction"].get<std::string>() + " " +
                             c["spacing"].get<std::string>() + " " + c["steps"].dump();
    const Prediction prediction =
        c["prediction"] == "epsilon" ? Prediction::epsilon : Prediction::v;
    Sampler sampler(objective(spacing_from(c["spacing"]), prediction, c["zero_snr"])
                        .sampling(sampler_from_name(c["kind"].get<std::string>()), c["steps"], 0));
    ASSERT_EQ(static_cast<std::size_t>(sampler.steps()), c["timesteps"].size()) << name;
    for (int i = 0; i < sampler.steps(); ++i) {
      const double timestep = c["timesteps"][static_cast<std::size_t>(i)];
      EXPECT_NEAR(sampler.timestep(i), timestep, 1e-4) << name;
    }
    EXPECT_NEAR(sampler.init_noise_sigma() / c["init"].get<double>(), 1, 1e-6) << name;
    const std::vector<float> x = test::sampled(sampler);
    double error = 0;
    double norm = 0;
    for (std::size_t k = 0; k < kCount; ++k) {
      const double expected = c["x"][k];
      error += (x[k] - expected) * (x[k] - expected);
      norm += expected * expected;
    }
    const double relative = std::sqrt(error / norm);
    worst = std::max(worst, relative);
    EXPECT_LE(relative, 1e-5) << name;
  }
  for (const std::string_view name : sampler_names()) {
    EXPECT_TRUE(kinds.contains(std::string(name))) << "tests/golden/make_samplers.py: " << name;
  }
  RecordProperty("worst_relative", std::to_string(worst));
  std::printf("worst relative difference %.2e over %zu cases\n", worst, cases.size());
}

TEST(Samplers, PublishedSigmasAndTimesteps) {
  const Sampler euler = make(SamplerKind::euler, 20, TimestepSpacing::linspace);
  const double sigmas[] = {14.6146, 10.7468, 8.0815, 6.2049, 4.8557, 3.8654, 3.1238,
                           2.5572,  2.1157,  1.7648, 1.4806, 1.2458, 1.0481, 0.8784,
                           0.7297,  0.5964,  0.4736, 0.3555, 0.2322, 0.0292, 0};
  ASSERT_EQ(euler.sigmas().size(), std::size(sigmas));
  for (std::size_t i = 0; i < std::size(sigmas); ++i) {
    EXPECT_NEAR(euler.sigmas()[i], sigmas[i], 6e-5);
  }
  EXPECT_NEAR(euler.timestep(1), 946.421, 5e-4);
  const Sampler leading = make(SamplerKind::ddim, 20, TimestepSpacing::leading);
  EXPECT_EQ(leading.timestep(0), 951);
  EXPECT_EQ(leading.timestep(19), 1);
  EXPECT_EQ(leading.init_noise_sigma(), 1);
  const Sampler trailing = make(SamplerKind::ddim, 20, TimestepSpacing::trailing);
  EXPECT_EQ(trailing.timestep(0), 999);
  EXPECT_EQ(trailing.timestep(19), 49);
  const Sampler karras = make(SamplerKind::dpmpp_2m_karras, 20, TimestepSpacing::leading);
  const double t[] = {999, 962, 921, 876, 827, 772, 710, 640, 561, 474,
                      380, 285, 197, 123, 69,  35,  15,  6,   2,   0};
  const double s[] = {14.6146, 11.7254, 9.3402, 7.3836, 5.7894, 4.4998, 3.4647,
                      2.6408,  1.9909,  1.4832, 1.0908, 0.7909, 0.5647, 0.3964,
                      0.2730,  0.1842,  0.1213, 0.0779, 0.0485, 0.0292, 0};
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(karras.timestep(static_cast<int>(i)), t[i]);
    EXPECT_NEAR(karras.sigmas()[i], s[i], 6e-5);
  }
}

// A model that knows the answer must lead every deterministic sampler to it.
TEST(Samplers, PerfectModelReachesItsImage) {
  const std::vector<float> image{0.5F, -1.25F, 2.0F};
  for (const SamplerKind kind :
       {SamplerKind::euler, SamplerKind::euler_a, SamplerKind::dpmpp_2m_karras}) {
    Sampler sampler = make(kind, 12, TimestepSpacing::linspace);
    std::vector<float> x{10, -3, 1};
    std::vector<float> output(3);
    const std::vector<float> noise{0.1F, 0.2F, -0.3F};
    for (int i = 0; i < sampler.steps(); ++i) {
      const double sigma = sampler.sigmas()[static_cast<std::size_t>(i)];
      const bool vp = kind == SamplerKind::dpmpp_2m_karras;
      const double a = vp ? 1 / std::sqrt(sigma * sigma + 1) : 1;
      for (std::size_t k = 0; k < 3; ++k) {
        output[k] = static_cast<float>((x[k] - a * image[k]) / (sigma * a));
      }
      sampler.step(i, output, x, noise);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(x[k], image[k], 2e-6) << static_cast<int>(kind);
    }
  }
}

TEST(Samplers, EveryStepCountWorks) {
  for (const std::string_view name : sampler_names()) {
    for (const TimestepSpacing spacing :
         {TimestepSpacing::linspace, TimestepSpacing::leading, TimestepSpacing::trailing}) {
      for (const int n : {1, 2, 3, 7, 30, 333, 1000}) {
        Sampler sampler = make(sampler_from_name(name), n, spacing, Prediction::v);
        ASSERT_EQ(sampler.steps(), name == "heun" ? 2 * n - 1 : n) << "the last one is Euler's";
        for (const float v : test::sampled(sampler)) {
          ASSERT_TRUE(std::isfinite(v)) << name << " " << n;
        }
      }
    }
  }
}

TEST(Samplers, RunsTwiceAlike) {
  for (const std::string_view name : sampler_names()) {
    Sampler sampler = make(sampler_from_name(name), 6, TimestepSpacing::trailing);
    const std::vector<float> once = test::sampled(sampler);
    EXPECT_EQ(test::sampled(sampler), once) << name;
  }
}

TEST(Samplers, RefuseMisuse) {
  EXPECT_THROW(sampler_from_name("plms"), Error);
  EXPECT_THROW(make(SamplerKind::ddim, 0, TimestepSpacing::leading), Error);
  EXPECT_THROW(make(SamplerKind::ddim, 1001, TimestepSpacing::leading), Error);
  EXPECT_THROW(make(SamplerKind::ddim, 10, TimestepSpacing::leading, Prediction::automatic), Error);
  Sampler sampler = make(SamplerKind::euler_a, 4, TimestepSpacing::leading);
  std::vector<float> x(4);
  const std::vector<float> output(4);
  EXPECT_THROW(sampler.step(1, output, x, output), Error);
  EXPECT_THROW(sampler.step(0, output, x), Error);
  EXPECT_THROW(sampler.step(0, std::span(output).first(3), x, output), Error);
  sampler.step(0, output, x, output);
  EXPECT_THROW(sampler.step(2, output, x, output), Error);
  EXPECT_FALSE(sampler.needs_noise(3));
}

TEST(Guidance, MovesFromUnconditionalToConditional) {
  const std::vector<float> u{1, 2};
  const std::vector<float> c{3, 1};
  std::vector<float> out(2);
  apply_guidance(u, c, 6, out);
  EXPECT_EQ(out, (std::vector<float>{13, -4}));
  apply_guidance(u, c, 1, out);
  EXPECT_EQ(out, c);
}

}  // namespace
}  // namespace mantissa
