// The step as one transaction: order, verdicts and scale against PyTorch's GradScaler over 2300
// steps with overflows, for one, two and three optimizers, with and without a shared clip norm (the
// case of several optimizers under one scaler).
#include "engine/optim/transaction.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

#include "engine/adapters/trained_set.h"
#include "engine/core/error.h"
#include "engine/io/family.h"
#include "engine/io/safetensors.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/prodigy.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/optim/trace.h"

namespace mantissa {
namespace {

double constant_rate(std::int64_t) {
  return 1.0;
}

struct Group {
  std::vector<float> parameters, gradients;
};

OptimizerPart make_part(Kernels& k, Part part, Group& g, OptimizerSettings s) {
  const auto n = static_cast<std::int64_t>(g.parameters.size());
  g.gradients.resize(g.parameters.size());
  return {part, View(g.parameters.data(), DType::f32, {n}),
          View(g.gradients.data(), DType::f32, {n}), make_optimizer(k, s, flat_tensor(n)),
          s.learning_rate};
}

/// A run of make_optim.py's scaler_trace: four parameters per group.
void follow_grad_scaler(int groups, double max_norm) {
  const std::string name = "scaler." + std::to_string(groups) + (max_norm > 0 ? ".clip" : ".plain");
  const std::map<int, std::vector<int>> overflows{
      {17, {0}}, {18, {1}}, {19, {0, 1, 2}}, {90, {2}}, {91, {2}}, {140, {0, 2}}, {2150, {1}}};
  const double rates[] = {1e-2, 3e-3, 1e-3};
  const auto file =
      SafetensorsFile::open(std::string(MANTISSA_TEST_DATA) + "/golden/optim/traces.safetensors");
  const TensorInfo& changes = *file.find(name + ".scale");
  const auto* change = reinterpret_cast<const double*>(changes.data);
  const auto* expected = reinterpret_cast<const float*>(file.find(name + ".p")->data);
  const auto* steps_taken = reinterpret_cast<const std::int64_t*>(file.find(name + ".steps")->data);
  auto kernels = make_cpu_kernels(1);
  const std::vector<float> start = testing::start_values(static_cast<std::size_t>(4 * groups));
  std::vector<Group> state(static_cast<std::size_t>(groups));
  std::vector<OptimizerPart> parts;
  for (std::size_t g = 0; g < state.size(); ++g) {
    state[g].parameters.assign(start.begin() + static_cast<std::ptrdiff_t>(4 * g),
                               start.begin() + static_cast<std::ptrdiff_t>(4 * g + 4));
    parts.push_back(make_part(*kernels, Part(kPartNames.at(g)), state[g],
                              {OptimizerType::adamw, rates[g], 0.9, 0.99, 1e-8, 0.02}));
  }
  LossScaler scaler({LossScaling::Mode::dynamic, 0}, ComputeType::fp16, MasterType::fp32);
  std::int64_t seen = 0;
  for (int step = 0; step < 2300; ++step) {
    if (seen + 1 < changes.shape()[0] && change[2 * (seen + 1)] == step) {
      ++seen;
    }
    ASSERT_EQ(scaler.scale(), change[2 * seen + 1]) << name << " " << step;
    for (std::size_t g = 0; g < state.size(); ++g) {
      for (std::size_t i = 0; i < 4; ++i) {
        state[g].gradients[i] = static_cast<float>(scaler.scale()) *
                                testing::trace_gradient(state[g].parameters[i], 4 * g + i,
                                                        static_cast<std::uint64_t>(step), 0.5, 1.0);
      }
    }
    std::size_t broken = 0;
    if (const auto it = overflows.find(step); it != overflows.end()) {
      for (int g : it->second) {
        if (g < groups) {
          ++broken;
          state[static_cast<std::size_t>(g)].gradients[static_cast<std::size_t>(step % 4)] =
              step % 2 != 0 ? std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::quiet_NaN();
        }
      }
    }
    const StepOutcome o = StepTransaction(*kernels, scaler, parts).run(max_norm, constant_rate);
    EXPECT_EQ(o.skipped, broken > 0) << step;
    EXPECT_EQ(o.stepped, broken == 0 || (max_norm == 0 && broken < state.size())) << step;
    EXPECT_FALSE(o.hopeless) << step;
    if (step % 100 == 99) {
      for (const Group& g : state) {
        for (float p : g.parameters) {
          ASSERT_NEAR(p, *expected++, 1e-5) << name << " " << step;
        }
      }
    }
  }
  EXPECT_EQ(seen + 1, changes.shape()[0]);
  for (std::size_t g = 0; g < state.size(); ++g) {
    EXPECT_EQ(parts[g].optimizer->updates(), steps_taken[g]) << name;
  }
}

TEST(Transaction, FollowsGradScalerWithOneTwoAndThreeOptimizers) {
  for (int groups : {1, 2, 3}) {
    follow_grad_scaler(groups, 0);
    follow_grad_scaler(groups, 0.5);
  }
}

TEST(Transaction, WithoutClippingOneOverflowSkipsOnlyItsGroup) {
  auto kernels = make_cpu_kernels(1);
  Group groups[2];
  groups[0].parameters = {1.0F, 2.0F};
  groups[1].parameters = {3.0F};
  std::vector<OptimizerPart> parts;
  for (int g = 0; g < 2; ++g) {
    parts.push_back(make_part(*kernels, kDenoiser, groups[g], {}));
  }
  groups[0].gradients = {1.0F, std::numeric_limits<float>::infinity()};
  groups[1].gradients = {1.0F};
  parts[0].gradients.data = groups[0].gradients.data();
  parts[1].gradients.data = groups[1].gradients.data();
  LossScaler scaler({LossScaling::Mode::dynamic, 0}, ComputeType::fp16, MasterType::fp32);
  const StepOutcome o = StepTransaction(*kernels, scaler, parts).run(0, constant_rate);
  EXPECT_TRUE(o.skipped && o.stepped);
  EXPECT_EQ(groups[0].parameters[0], 1.0F);
  EXPECT_NE(groups[1].parameters[0], 3.0F);
  EXPECT_EQ(scaler.scale(), 32768.0) << "the scale is updated once an iteration";
}

TEST(Transaction, ASkippedGroupKeepsItsPlaceInTheSchedule) {
  auto kernels = make_cpu_kernels(1);
  Group groups[2];
  std::vector<OptimizerPart> parts;
  for (Group& g : groups) {
    g.parameters = {1.0F};
    OptimizerSettings s{OptimizerType::sgd, 1.0, 0.0};
    s.weight_decay = 0;
    parts.push_back(make_part(*kernels, kDenoiser, g, s));
  }
  LossScaler scaler({LossScaling::Mode::fixed, 4}, ComputeType::fp16, MasterType::fp32);
  const auto factor = [](std::int64_t updates) { return updates == 0 ? 0.5 : 0.25; };
  groups[0].gradients[0] = std::numeric_limits<float>::quiet_NaN();
  groups[1].gradients[0] = 4.0F;
  StepOutcome o = StepTransaction(*kernels, scaler, parts).run(0, factor);
  EXPECT_EQ(o.group_stepped, (std::vector<bool>{false, true}));
  EXPECT_TRUE(o.hopeless) << "a fixed scale can't answer";
  EXPECT_EQ(scaler.scale(), 4.0) << "and it stays";
  groups[0].gradients[0] = 4.0F;
  o = StepTransaction(*kernels, scaler, parts).run(0, factor);
  EXPECT_EQ(o.learning_rates, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(groups[0].parameters[0], 0.5F);
  EXPECT_EQ(groups[1].parameters[0], 0.25F);
}

TEST(Transaction, ProdigiesThatShareTheirScaleSumBeforeEitherMoves) {
  auto kernels = make_cpu_kernels(1);
  OptimizerSettings s{OptimizerType::prodigy, 1.0};
  s.weight_decay = 0;
  // One optimizer over eight values, or two over four each: the same numbers.
  std::vector<float> whole = testing::start_values(8), g(8);
  const auto one = make_optimizer(*kernels, s, flat_tensor(8));
  const auto scale = std::make_shared<ProdigyScale>();
  Group halves[2];
  std::vector<OptimizerPart> parts;
  for (std::size_t h = 0; h < 2; ++h) {
    halves[h].parameters.assign(whole.begin() + static_cast<std::ptrdiff_t>(4 * h),
                                whole.begin() + static_cast<std::ptrdiff_t>(4 * h + 4));
    parts.push_back(make_part(*kernels, kDenoiser, halves[h], s));
    parts.back().optimizer = make_optimizer(*kernels, s, flat_tensor(4), scale);
  }
  LossScaler scaler({}, ComputeType::fp32, MasterType::fp32);
  for (std::uint64_t step = 0; step < 60; ++step) {
    for (std::size_t i = 0; i < 8; ++i) {
      g[i] = testing::trace_gradient(whole[i], i, step, 0.5, 0.1);
      halves[i / 4].gradients[i % 4] = g[i];
    }
    one->step({View(whole.data(), DType::f32, {8}), View(g.data(), DType::f32, {8}), 1.0, 1.0});
    StepTransaction(*kernels, scaler, parts).run(0, constant_rate);
  }
  EXPECT_GT(scale->d(), 100 * ProdigyScale::kStart);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(halves[i / 4].parameters[i % 4], whole[i], 1e-4F);
  }
}

TEST(Transaction, ASkippedStepLeavesAScheduleFreeAverageAlone) {
  auto kernels = make_cpu_kernels(1);
  OptimizerSettings s{OptimizerType::adamw_schedule_free, 0.01};
  std::vector<float> p = testing::start_values(8), g(8);
  const View parameters(p.data(), DType::f32, {8}), gradients(g.data(), DType::f32, {8});
  const auto alone = make_optimizer(*kernels, s, flat_tensor(8));
  Group group;
  group.parameters = p;
  std::vector<OptimizerPart> parts;
  parts.push_back(make_part(*kernels, kDenoiser, group, s));
  LossScaler scaler({}, ComputeType::fp32, MasterType::fp32);
  const auto rate = [](std::int64_t updates) { return updates < 3 ? 0.25 : 1.0; };
  for (std::uint64_t step = 0; step < 9; ++step) {
    for (std::size_t i = 0; i < 8; ++i) {
      g[i] = group.gradients[i] = testing::trace_gradient(p[i], i, step, 0.5, 0.1);
    }
    if (step % 4 == 2) {
      group.gradients[5] = std::numeric_limits<float>::quiet_NaN();
    } else {
      alone->step({parameters, gradients, 0.01 * rate(alone->updates()), 1.0});
    }
    StepTransaction(*kernels, scaler, parts).run(0, rate);
    ASSERT_EQ(group.parameters, p) << step;
  }
  EXPECT_EQ(alone->updates(), 7);
  const auto expected = alone->state(), got = parts[0].optimizer->state();
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto bytes =
        static_cast<std::size_t>(got[i].view.count()) * dtype_size(got[i].view.dtype);
    EXPECT_EQ(std::memcmp(got[i].view.data, expected[i].view.data, bytes), 0) << got[i].name;
  }
}

TEST(Transaction, APartsMagnitudesShareItsProdigysScale) {
  auto kernels = make_cpu_kernels(1);
  Preset preset;
  preset.adapter.type = AdapterType::dora;
  preset.adapter.targets = {"*"};
  preset.training.parts = {kDenoiser, kTe1};
  preset.optimizer.type = OptimizerType::prodigy;
  TrainedSet adapters(*kernels, preset, family_of(ModelFamily("sdxl")));
  std::vector<float> values(6, 1.0F);
  Tensor weight{.name = "w", .shape = {2, 3}, .data = values.data()};
  adapters.request("denoiser.a.to_q", kDenoiser, weight);
  adapters.request("te1.a.q_proj", kTe1, weight);
  adapters.finalize(1);
  const std::vector<OptimizerPart> groups = make_optimizer_parts(preset, adapters);
  std::map<std::string, const void*> scales;
  for (const OptimizerPart& group : groups) {
    for (const OptimizerState& state : group.optimizer->state()) {
      if (state.name == "scale") {
        scales[group.name()] = state.view.data;
      }
    }
  }
  ASSERT_EQ(scales.size(), 4U);
  EXPECT_EQ(scales.at("denoiser"), scales.at("denoiser.magnitudes"));
  EXPECT_EQ(scales.at("te1"), scales.at("te1.magnitudes"));
  EXPECT_NE(scales.at("denoiser"), scales.at("te1"));
}

TEST(Transaction, EveryBufferDrawsItsOwnRounding) {
  std::set<std::uint32_t> instances;
  for (Part part : {kDenoiser, kTe1, kTe2}) {
    for (bool magnitudes : {false, true}) {
      instances.insert(
          optimizer_settings(Preset(), AdapterBuffer{part, magnitudes, {}, {}}).instance);
    }
  }
  EXPECT_EQ(instances.size(), 6U);
}

TEST(FusedTransaction, IsTheSameStepTensorByTensor) {
  auto kernels = make_cpu_kernels(1);
  Group groups[2];
  std::vector<OptimizerPart> fused, normal;
  OptimizerSettings s{OptimizerType::adamw, 0.1};
  const std::vector<OptimizerTensor> tensors{{0, 1, 3}, {3, 2, 2}};
  for (int g = 0; g < 2; ++g) {
    groups[g].parameters = testing::start_values(7);
    auto& list = g == 0 ? fused : normal;
    list.push_back(make_part(*kernels, kDenoiser, groups[g], s));
    list.back().optimizer = make_optimizer(*kernels, s, tensors);
  }
  LossScaler scaler({LossScaling::Mode::fixed, 2}, ComputeType::bf16, MasterType::fp32);
  for (int step = 0; step < 3; ++step) {
    for (std::size_t i = 0; i < 7; ++i) {
      groups[0].gradients[i] = groups[1].gradients[i] = static_cast<float>(i) - 3.5F;
    }
    const StepOutcome expected = StepTransaction(*kernels, scaler, normal).run(0, constant_rate);
    FusedTransaction transaction(*kernels, scaler, fused, constant_rate);
    transaction.tensor_ready(0, 1);
    transaction.tensor_ready(0, 0);
    const StepOutcome o = transaction.finish();
    EXPECT_NEAR(o.grad_norm, expected.grad_norm, 1e-12);
    EXPECT_EQ(o.group_stepped, expected.group_stepped);
    EXPECT_EQ(groups[0].parameters, groups[1].parameters);
  }
  groups[0].gradients[0] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> before = groups[0].parameters;
  FusedTransaction transaction(*kernels, scaler, fused, constant_rate);
  transaction.tensor_ready(0, 0);
  transaction.tensor_ready(0, 1);
  const StepOutcome o = transaction.finish();
  EXPECT_TRUE(o.skipped && o.hopeless);
  EXPECT_EQ(groups[0].parameters[0], before[0]) << "the broken tensor stays as it was";
  EXPECT_NE(groups[0].parameters[3], before[3]);
}

TEST(FusedTransaction, CountsSharesOfAGroupAsOne) {
  auto kernels = make_cpu_kernels(1);
  Group halves[2], whole, other;
  OptimizerSettings s{OptimizerType::adamw, 0.1};
  std::vector<OptimizerPart> fused, normal;
  for (int i = 0; i < 2; ++i) {
    halves[i].parameters = testing::start_values(3);
    fused.push_back(make_part(*kernels, kDenoiser, halves[i], s));
    fused.back().begin = 3 * i;
  }
  other.parameters = testing::start_values(2);
  fused.push_back(make_part(*kernels, kTe1, other, s));
  fused.back().learning_rate = 0.2;
  whole.parameters = halves[0].parameters;
  whole.parameters.insert(whole.parameters.end(), halves[1].parameters.begin(),
                          halves[1].parameters.end());
  Group same_other{other.parameters, {}};
  normal.push_back(make_part(*kernels, kDenoiser, whole, s));
  normal.push_back(make_part(*kernels, kTe1, same_other, s));
  normal.back().learning_rate = 0.2;
  for (std::size_t i = 0; i < 6; ++i) {
    halves[i / 3].gradients[i % 3] = whole.gradients[i] = static_cast<float>(i) - 2.5F;
  }
  other.gradients = same_other.gradients = {0.25F, -3.0F};
  LossScaler scaler({LossScaling::Mode::fixed, 2}, ComputeType::bf16, MasterType::fp32);
  const StepOutcome expected = StepTransaction(*kernels, scaler, normal).run(0, constant_rate);
  FusedTransaction transaction(*kernels, scaler, fused, constant_rate);
  for (std::size_t part = 0; part < 3; ++part) {
    transaction.tensor_ready(part, 0);
  }
  const StepOutcome o = transaction.finish();
  EXPECT_EQ(o.learning_rates, expected.learning_rates);
  EXPECT_EQ(o.group_stepped, expected.group_stepped);
  EXPECT_EQ(o.group_non_finite, expected.group_non_finite);
  ASSERT_EQ(o.group_norms.size(), 2U);
  EXPECT_NEAR(o.group_norms[0], expected.group_norms[0], 1e-12);
  EXPECT_NEAR(o.group_norms[1], expected.group_norms[1], 1e-12);
  EXPECT_EQ(halves[1].parameters[2], whole.parameters[5]);
}

TEST(FusedTransaction, RefusesWhatNeedsAllGradients) {
  auto kernels = make_cpu_kernels(1);
  Group group;
  group.parameters = {1.0F};
  std::vector<OptimizerPart> parts;
  parts.push_back(make_part(*kernels, kDenoiser, group, {}));
  LossScaler dynamic({LossScaling::Mode::dynamic, 0}, ComputeType::fp16, MasterType::fp32);
  try {
    FusedTransaction(*kernels, dynamic, parts, constant_rate);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "S10");
  }
  EXPECT_EQ(parts[0].optimizer->updates(), 0);
  parts[0].optimizer = make_optimizer(*kernels, {OptimizerType::prodigy}, flat_tensor(1));
  LossScaler off({}, ComputeType::bf16, MasterType::fp32);
  EXPECT_THROW(FusedTransaction(*kernels, off, parts, constant_rate), Error);
}

TEST(LossScaler, GrowsAfterTheIntervalAndStopsAtItsBounds) {
  LossScaler s({LossScaling::Mode::automatic, 0}, ComputeType::fp16, MasterType::fp32);
  EXPECT_EQ(s.scale(), 65536.0);
  for (int i = 0; i < 1999; ++i) {
    s.update(false);
  }
  EXPECT_EQ(s.scale(), 65536.0);
  s.update(false);
  EXPECT_EQ(s.scale(), 131072.0);
  for (int i = 0; i < 17; ++i) {
    EXPECT_FALSE(s.at_floor()) << "halving can still answer overflow " << i;
    s.update(true);
  }
  EXPECT_EQ(s.scale(), 1.0);
  EXPECT_TRUE(s.at_floor()) << "a further one is a real non-finite value";
  s.update(true);
  EXPECT_EQ(s.scale(), 1.0);
  for (int i = 0; i < 2000 * 30; ++i) {
    s.update(false);
  }
  EXPECT_EQ(s.scale(), LossScaleRule::kCeiling);
  LossScaler off({}, ComputeType::fp32, MasterType::fp32);
  off.update(true);
  EXPECT_EQ(off.scale(), 1.0);
  EXPECT_TRUE(off.at_floor());
}

TEST(LossScaler, ModesAndWhatNeedsThem) {
  using Mode = LossScaling::Mode;
  const auto dynamic = [](Mode mode, ComputeType compute, MasterType gradients) {
    return LossScaler({mode, 512}, compute, gradients).dynamic();
  };
  EXPECT_TRUE(dynamic(Mode::automatic, ComputeType::fp16, MasterType::fp32));
  EXPECT_TRUE(dynamic(Mode::automatic, ComputeType::bf16, MasterType::fp16))
      << "gradients gathered in fp16 underflow too";
  EXPECT_FALSE(dynamic(Mode::automatic, ComputeType::bf16, MasterType::bf16));
  EXPECT_FALSE(dynamic(Mode::off, ComputeType::fp16, MasterType::fp16));
  EXPECT_TRUE(dynamic(Mode::dynamic, ComputeType::fp32, MasterType::fp32));
  LossScaler fixed({Mode::fixed, 512}, ComputeType::fp16, MasterType::fp32);
  EXPECT_EQ(fixed.scale(), 512.0);
  EXPECT_EQ(fixed.inverse(), 1.0F / 512);
  EXPECT_TRUE(fixed.at_floor());
  fixed.update(true);
  for (int i = 0; i < 2001; ++i) {
    fixed.update(false);
  }
  EXPECT_EQ(fixed.scale(), 512.0);
  LossScaler restored({Mode::dynamic, 0}, ComputeType::fp16, MasterType::fp32);
  restored.restore(1024, 1999);
  restored.update(false);
  EXPECT_EQ(restored.scale(), 2048.0) << "the counter continues where it was";
}

}  // namespace
}  // namespace mantissa
