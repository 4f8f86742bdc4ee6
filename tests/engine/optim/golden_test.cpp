// 220 steps of every optimizer against the reference implementations: torch.optim, transformers,
// bitsandbytes, prodigyopt, lion-pytorch, came-pytorch (tests/golden/make_optim.py), schedulefree,
// prodigy-plus-schedule-free (make_optim_averages.py); Automagic against its formulas in float64
// (make_optim_automagic.py).
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "engine/io/safetensors.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/optim/prodigy.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/optim/trace.h"

namespace mantissa {
namespace {

constexpr int kSteps = 220, kEvery = 20;
constexpr std::int64_t kElements = 32;

std::vector<OptimizerTensor> tensors_of(const std::vector<std::array<std::int64_t, 2>>& shapes) {
  std::vector<OptimizerTensor> list;
  std::int64_t at = 0;
  for (const auto& [rows, cols] : shapes) {
    list.push_back({at, rows, cols, 1.0});
    at += rows * cols;
  }
  return list;
}
std::vector<OptimizerTensor> small_tensors() {
  return tensors_of({{24, 40}, {1, 37}, {8, 9}});
}
std::vector<OptimizerTensor> large_tensors() {
  return tensors_of({{70, 64}, {24, 40}});
}

struct Trace {
  OptimizerSettings settings;
  std::vector<OptimizerTensor> tensors = small_tensors();
  double pull = 0.5, noise = 1.0;
  float spread = 1;  ///< of the start values
  int warmup = 0;    ///< steps
  std::string file = "traces.safetensors";
};

SafetensorsFile golden(const std::string& file) {
  return SafetensorsFile::open(std::string(MANTISSA_TEST_DATA) + "/golden/optim/" + file);
}

OptimizerSettings settings_of(OptimizerType type, double rate, double decay) {
  OptimizerSettings s;
  s.type = type;
  s.learning_rate = rate;
  s.beta2 = 0.99;
  s.weight_decay = decay;
  return s;
}

/// Distance from the reference relative to its own movement: {mean, worst} over samples.
struct Distance {
  double mean = 0, worst = 0;
};

/// `suffix` p compares the parameters, x their schedule-free average.
Distance follow(const std::string& name, const Trace& trace, CpuIsa isa,
                std::vector<double>* d = nullptr, const std::string& suffix = ".p") {
  const auto file = golden(trace.file);
  const auto* expected = reinterpret_cast<const float*>(file.find(name + suffix)->data);
  const auto kernels = make_cpu_kernels(2, isa);
  auto scale =
      std::make_shared<ProdigyScale>(1.0, optimizer_row(trace.settings.type).schedule_free);
  const auto optimizer = make_optimizer(*kernels, trace.settings, trace.tensors, scale);
  const std::int64_t n = trace.tensors.back().offset + trace.tensors.back().count();
  std::vector<float> p = testing::start_values(static_cast<std::size_t>(n)), g(p.size());
  for (float& x : p) {
    x *= trace.spread;
  }
  const std::vector<float> first = p;
  Distance distance;
  int samples = 0;
  double moved = 0;
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < p.size(); ++i) {
      // A loss scale of 1024 that the step divides out.
      g[i] = 1024 * testing::trace_gradient(p[i], i, static_cast<std::uint64_t>(step), trace.pull,
                                            trace.noise);
    }
    const double rise = step < trace.warmup ? (step + 1.0) / trace.warmup : 1.0;
    optimizer->step({View(p.data(), DType::f32, {n}), View(g.data(), DType::f32, {n}),
                     rise * trace.settings.learning_rate, 1.0 / 1024});
    if (step % kEvery != kEvery - 1) {
      continue;
    }
    if (d != nullptr) {
      d->push_back(scale->d());
    }
    std::vector<float> shown = p;
    if (suffix == ".x") {
      optimizer->average(View(shown.data(), DType::f32, {n}));
    }
    for (std::int64_t k = 0; k < kElements; ++k, ++expected, ++samples) {
      const auto i = static_cast<std::size_t>(k * n / kElements);
      const double off = std::fabs(static_cast<double>(shown[i]) - *expected);
      distance.mean += off;
      distance.worst = std::max(distance.worst, off);
      moved = std::max(moved, std::fabs(static_cast<double>(*expected) - first[i]));
    }
  }
  EXPECT_EQ(samples, 11 * kElements);
  EXPECT_GT(moved, 0.01);
  return {distance.mean / samples / moved, distance.worst / moved};
}

void expect_follows(const std::string& name, const Trace& trace, double tolerance,
                    const std::string& suffix = ".p") {
  for (CpuIsa isa : {CpuIsa::best, CpuIsa::avx2}) {
    const Distance d = follow(name, trace, isa, nullptr, suffix);
    EXPECT_LE(d.worst, tolerance) << name << suffix;
    std::printf("%s%s: mean %.1e, worst %.1e\n", name.c_str(), suffix.c_str(), d.mean, d.worst);
  }
}

/// d of a Prodigy after every 20th step.
void expect_same_estimates(const std::string& name, const Trace& trace) {
  std::vector<double> d;
  follow(name, trace, CpuIsa::best, &d);
  const auto file = golden(trace.file);
  const auto* expected = reinterpret_cast<const double*>(file.find(name + ".d")->data);
  EXPECT_GT(d.back(), 10 * ProdigyScale::kStart);
  for (std::size_t i = 0; i < d.size(); ++i) {
    EXPECT_NEAR(d[i], expected[i], 1e-5 * expected[i]) << i;
  }
}

TEST(OptimizerGolden, EveryRowHasATrace) {
  const auto file = golden("traces.safetensors"), averages = golden("averages.safetensors"),
             automagic = golden("automagic.safetensors");
  for (const OptimizerRow& row : kOptimizers) {
    const std::string name = std::string(row.name) + ".p";
    EXPECT_TRUE(file.find(name) != nullptr || averages.find(name) != nullptr ||
                automagic.find(name) != nullptr)
        << "no tests/golden/make_optim*.py makes a trace of " << row.name;
  }
}

TEST(OptimizerGolden, AdamwFollowsTorch) {
  expect_follows("adamw", {settings_of(OptimizerType::adamw, 1e-2, 0.02)}, 5e-6);
}

TEST(OptimizerGolden, SgdFollowsTorch) {
  expect_follows("sgd", {settings_of(OptimizerType::sgd, 1e-2, 0.02)}, 5e-6);
}

TEST(OptimizerGolden, LionFollowsLionPytorch) {
  Trace t{settings_of(OptimizerType::lion, 1e-3, 0.02)};
  t.pull = 0;
  // It multiplies by 1-ηλ rounded to fp32, a systematic error of up to 3e-8 per step.
  expect_follows("lion", t, 1e-4);
}

TEST(OptimizerGolden, AdafactorFollowsTransformers) {
  expect_follows("adafactor", {settings_of(OptimizerType::adafactor, 1e-2, 0.02)}, 1e-5);
}

TEST(OptimizerGolden, CameFollowsCamePytorch) {
  expect_follows("came", {settings_of(OptimizerType::came, 1e-2, 0.02)}, 1e-5);
}

TEST(OptimizerGolden, ProdigyFollowsProdigyopt) {
  Trace t{settings_of(OptimizerType::prodigy, 1.0, 0.02)};
  t.noise = 0.1;
  t.spread = 0x1p-13F;
  expect_follows("prodigy", t, 1e-4);
  expect_same_estimates("prodigy", t);
}

TEST(OptimizerGolden, ScheduleFreeAdamwFollowsSchedulefree) {
  Trace t{settings_of(OptimizerType::adamw_schedule_free, 1e-2, 0.02)};
  t.warmup = 30;
  t.file = "averages.safetensors";
  expect_follows("adamwschedulefree", t, 5e-6);
  expect_follows("adamwschedulefree", t, 5e-6, ".x");
}

TEST(OptimizerGolden, ScheduleFreeProdigyFollowsProdigyPlus) {
  Trace t{settings_of(OptimizerType::prodigy_schedule_free, 1.0, 0.02)};
  t.noise = 0.1;
  t.spread = 0x1p-13F;
  t.file = "averages.safetensors";
  expect_follows("prodigyschedulefree", t, 5e-6);
  expect_follows("prodigyschedulefree", t, 5e-6, ".x");
  expect_same_estimates("prodigyschedulefree", t);
}

TEST(OptimizerGolden, MuonFollowsTorch) {
  for (const auto& [scaling, name] : {std::pair(MuonScaling::match_rms_adamw, "muon"),
                                      {MuonScaling::original, "muon.original"}}) {
    Trace t{settings_of(OptimizerType::muon, 1e-2, 0.02), tensors_of({{24, 40}, {1, 37}, {19, 8}})};
    t.settings.muon_scaling = scaling;
    t.file = "averages.safetensors";
    expect_follows(name, t, 2e-5);
  }
}

TEST(OptimizerGolden, AutomagicFollowsItsFormulas) {
  Trace t{settings_of(OptimizerType::automagic, 9.5e-4, 0.02)};
  t.file = "automagic.safetensors";
  expect_follows("automagic", t, 1e-5);
  t.settings.learning_rate = 1e-6;
  t.noise = 0.3;
  t.spread = 0x1p-7F;
  expect_follows("automagic.low", t, 1e-5);
}

/// bitsandbytes divides by absmax in another order, so a value at a midpoint may get the other
/// code.
TEST(OptimizerGolden, EightBitFollowsBitsandbytes) {
  const auto compare = [](const std::string& name, Trace trace, double tolerance) {
    const Distance d = follow(name, trace, CpuIsa::best);
    const Distance avx2 = follow(name, trace, CpuIsa::avx2);
    trace.settings.state = StateType::fp32;
    if (trace.settings.type == OptimizerType::adamw8bit) {
      trace.settings.type = OptimizerType::adamw;
    }
    const Distance fp32 = follow(name, trace, CpuIsa::best);
    std::printf("%s: mean %.1e, worst %.1e (fp32 state: mean %.1e, worst %.1e)\n", name.c_str(),
                d.mean, d.worst, fp32.mean, fp32.worst);
    EXPECT_LE(d.mean, tolerance) << name;
    EXPECT_LE(avx2.mean, tolerance) << name;
    EXPECT_GE(fp32.mean, 5 * d.mean) << name << ": the rounding of 8 bits itself is followed";
  };
  compare("adamw8bit", {settings_of(OptimizerType::adamw8bit, 1e-2, 0.0), large_tensors()}, 5e-4);
  Trace lion{settings_of(OptimizerType::lion, 1e-3, 0.0), large_tensors()};
  lion.settings.state = StateType::eight_bit;
  lion.pull = 0;
  compare("lion8bit", lion, 1e-3);
}

}  // namespace
}  // namespace mantissa
