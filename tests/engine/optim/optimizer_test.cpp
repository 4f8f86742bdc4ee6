// Every optimizer with every parameter, gradient and state dtype: it learns, it resumes bit for bit
// from its saved state, and the number of threads has no effect.
#include "engine/optim/optimizer.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/schedule_free.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "kernels/rounding.h"
#include "tests/engine/optim/support.h"

namespace mantissa {
namespace {

using testing::Bench;
using testing::Combination;

std::vector<Combination> all_combinations() {
  std::vector<Combination> list;
  for (const OptimizerRow& row : kOptimizers) {
    for (StateType state : {StateType::fp32, StateType::bf16, StateType::eight_bit}) {
      for (DType gradient : {DType::f32, DType::bf16, DType::f16}) {
        list.push_back({row.type, DType::f32, Rounding::nearest, gradient, state});
        for (Rounding rounding : {Rounding::nearest, Rounding::stochastic, Rounding::kahan}) {
          list.push_back({row.type, DType::bf16, rounding, gradient, state});
        }
      }
    }
  }
  return list;
}

TEST(OptimizerMatrix, EveryCombinationReducesAQuadratic) {
  const auto kernels = make_cpu_kernels(1);
  std::size_t count = 0;
  for (const Combination& c : all_combinations()) {
    Bench bench(*kernels, c);
    const double before = bench.loss();
    bench.run(150);
    const OptimizerRow& row = optimizer_row(c.type);
    if (row.finds_rate() && !row.schedule_free && c.parameter == DType::bf16 &&
        c.rounding == Rounding::nearest) {
      // Plain rounding loses the steps of d0 = 1e-6, and d only grows with movement: of the
      // parameters, while the schedule-free z moves in the state.
      EXPECT_GT(bench.loss(), 0.999 * before) << c.name();
    } else {
      EXPECT_LT(bench.loss(), 0.3 * before) << c.name();
    }
    EXPECT_EQ(bench.optimizer().updates(), 150);
    ++count;
  }
  EXPECT_EQ(count, kOptimizers.size() * 4 * 3 * 3);
}

TEST(OptimizerMatrix, ResumeInTheMiddleIsBitExact) {
  const auto kernels = make_cpu_kernels(1);
  for (const Combination& c : all_combinations()) {
    Bench whole(*kernels, c), first(*kernels, c), second(*kernels, c);
    whole.run(14);
    first.run(7);
    second.restore(first.save());
    second.run(7);
    EXPECT_EQ(whole.save().bytes, second.save().bytes) << c.name();
  }
}

TEST(OptimizerMatrix, ThreadsDontChangeABit) {
  const auto one = make_cpu_kernels(1), three = make_cpu_kernels(3);
  for (const Combination& c : all_combinations()) {
    Bench a(*one, c, 9), b(*three, c, 9);
    a.run(3);
    b.run(3);
    EXPECT_EQ(a.save().bytes, b.save().bytes) << c.name();
  }
}

TEST(OptimizerMatrix, StateBytesAreExact) {
  const auto kernels = make_cpu_kernels(1);
  for (const Combination& c : all_combinations()) {
    Bench bench(*kernels, c);
    std::uint64_t held = 0;
    for (const OptimizerState& s : bench.optimizer().state()) {
      held += static_cast<std::uint64_t>(s.view.count()) * dtype_size(s.view.dtype);
    }
    EXPECT_EQ(optimizer_state_bytes(bench.settings(), bench.tensors()), held) << c.name();
  }
}

TEST(OptimizerMatrix, TensorByTensorIsTheSameStep) {
  const auto kernels = make_cpu_kernels(2);
  for (const Combination& c : all_combinations()) {
    Bench whole(*kernels, c), by_tensor(*kernels, c);
    if (optimizer_row(c.type).finds_rate()) {
      EXPECT_FALSE(whole.optimizer().steps_by_tensor());
      EXPECT_THROW(whole.optimizer().apply_tensor(0), Error);
      continue;
    }
    whole.run(3);
    by_tensor.run_by_tensor(3);
    EXPECT_EQ(whole.save().bytes, by_tensor.save().bytes) << c.name();
    EXPECT_EQ(by_tensor.optimizer().updates(), 3);
  }
}

/// Whether other values of these settings move the parameters elsewhere.
bool matters(OptimizerSettings s, void (*change)(OptimizerSettings&)) {
  const auto kernels = make_cpu_kernels(1);
  const auto moved = [&] {
    std::vector<float> p(64, 0.0F), g(64);
    const auto optimizer = make_optimizer(*kernels, s, {{0, 8, 8, 1.0}});
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < g.size(); ++i) {
        g[i] = 0.01F * static_cast<float>(i + 1) * static_cast<float>(step % 2 == 0 ? 2 : -1);
      }
      optimizer->step({View(p.data(), DType::f32, {64}), View(g.data(), DType::f32, {64}), 0.1, 1});
    }
    return p;
  };
  const std::vector<float> before = moved();
  change(s);
  return moved() != before;
}

TEST(OptimizerTable, BetasAndEpsilonMatterWhereTheRowSaysSo) {
  for (const OptimizerRow& row : kOptimizers) {
    OptimizerSettings s;
    s.type = row.type;
    const auto other_betas = [](OptimizerSettings& o) {
      o.beta1 = 0.99;
      o.beta2 = 0;
    };
    EXPECT_EQ(matters(s, other_betas), row.uses_betas) << row.name;
    EXPECT_EQ(matters(s, [](OptimizerSettings& o) { o.eps = 1; }), row.uses_eps) << row.name;
  }
}

TEST(Optimizer, RatesOfTensorsAreFactors) {
  const auto kernels = make_cpu_kernels(1);
  const std::vector<OptimizerTensor> tensors{{0, 2, 2, 1.0}, {4, 2, 2, 16.0}};
  std::vector<float> p(8, 0.0F), g(8, 1.0F);
  OptimizerSettings s;
  s.type = OptimizerType::sgd;
  s.weight_decay = 0;
  const auto optimizer = make_optimizer(*kernels, s, tensors);
  optimizer->step({View(p.data(), DType::f32, {8}), View(g.data(), DType::f32, {8}), 0.5, 0.25});
  EXPECT_FLOAT_EQ(p[0], -0.125F);
  EXPECT_FLOAT_EQ(p[7], -2.0F) << "LoRA+: sixteen times the rate";
}

TEST(Optimizer, EachInstanceDrawsItsOwnRounding) {
  const auto kernels = make_cpu_kernels(1);
  const auto moved_by = [&](std::uint32_t instance) {
    std::vector<bfloat16> p(512, bfloat16(1.0F));
    std::vector<float> g(512, 1.0F);
    OptimizerSettings s;
    s.type = OptimizerType::sgd;
    s.weight_decay = 0;
    s.parameters = DType::bf16;
    s.rounding = Rounding::stochastic;
    s.instance = instance;
    const auto optimizer = make_optimizer(*kernels, s, flat_tensor(512));
    optimizer->step(
        {View(p.data(), DType::bf16, {512}), View(g.data(), DType::f32, {512}), 0x1p-10, 1.0});
    std::vector<float> result;
    for (const bfloat16 x : p) {
      result.push_back(static_cast<float>(x));
    }
    return result;
  };
  EXPECT_EQ(moved_by(1), moved_by(1));
  EXPECT_NE(moved_by(0), moved_by(1));
  EXPECT_NE(moved_by(1), moved_by(17)) << "a part's matrices and its magnitudes";
}

/// An optimizer's whole state, as bytes.
std::map<std::string, std::vector<std::byte>> memory_of(Optimizer& optimizer) {
  std::map<std::string, std::vector<std::byte>> result;
  for (const OptimizerState& s : optimizer.state()) {
    const auto* data = s.view.as<std::byte>();
    result[s.name].assign(
        data, data + static_cast<std::size_t>(s.view.count()) * dtype_size(s.view.dtype));
  }
  return result;
}

TEST(Prodigy, ARateOfZeroSaysNothingAboutTheDistance) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> p = {1, -2, 3, -4}, g = {0.5F, -1, 1.5F, -2};
  const View parameters(p.data(), DType::f32, {4}), gradients(g.data(), DType::f32, {4});
  OptimizerSettings s;
  s.type = OptimizerType::prodigy;
  s.weight_decay = 0.1;
  const auto optimizer = make_optimizer(*kernels, s, flat_tensor(4));
  for (int step = 0; step < 3; ++step) {
    optimizer->step({parameters, gradients, 1.0, 1.0});
  }
  const auto memory = memory_of(*optimizer);
  const std::vector<float> before = p;
  optimizer->step({parameters, gradients, 0.0, 1.0});
  EXPECT_EQ(p, before);
  EXPECT_EQ(memory_of(*optimizer), memory) << "a warm-up's zero leaves no trace";
  optimizer->step({parameters, gradients, 1.0, 1.0});
  EXPECT_NE(p, before);
}

TEST(Prodigy, ThePathKeepsItsBitsBesideEightBitMoments) {
  const auto kernels = make_cpu_kernels(1);
  OptimizerSettings s;
  s.type = OptimizerType::prodigy;
  s.state = StateType::eight_bit;
  const auto optimizer = make_optimizer(*kernels, s, flat_tensor(8192));
  std::map<std::string, DType> types;
  for (const OptimizerState& state : optimizer->state()) {
    types[state.name] = state.view.dtype;
  }
  EXPECT_EQ(types.at("exp_avg"), DType::u8);
  EXPECT_EQ(types.at("path"), DType::f32);
}

TEST(Prodigy, NothingMovesBeforeAGradientSpeaks) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> p = {1, -2, 3, -4}, g(4, 0.0F);
  const std::vector<float> before = p;
  OptimizerSettings s;
  s.type = OptimizerType::prodigy;
  s.weight_decay = 0.5;
  s.learning_rate = 1;
  const auto optimizer = make_optimizer(*kernels, s, flat_tensor(4));
  optimizer->step({View(p.data(), DType::f32, {4}), View(g.data(), DType::f32, {4}), 1e5, 1.0});
  EXPECT_EQ(p, before) << "not even by weight decay: no distance is known";
}

TEST(ScheduleFree, SharesCountAnUpdateOnce) {
  ScheduleFreeSums sums(/*largest=*/true);
  EXPECT_EQ(sums.next(0), 0) << "a rate of zero has no weight";
  EXPECT_EQ(sums.count(1, 0.5), 1);
  EXPECT_EQ(sums.count(1, 0.5), 1) << "the second share's";
  EXPECT_EQ(sums.next(1), 0.8);
  EXPECT_EQ(sums.count(2, 1), 0.8);
  EXPECT_EQ(sums.count(3, 0.5), 1 / 2.25) << "the largest rate so far counts";
  ScheduleFreeSums own(/*largest=*/false);
  own.count(1, 1);
  EXPECT_EQ(own.count(2, 0.5), 0.2);
}

TEST(ScheduleFree, TheAverageKeepsItsBitsBesideEightBitMoments) {
  const auto kernels = make_cpu_kernels(1);
  OptimizerSettings s;
  s.type = OptimizerType::adamw_schedule_free;
  s.state = StateType::eight_bit;
  const auto optimizer = make_optimizer(*kernels, s, flat_tensor(8192));
  std::map<std::string, DType> types;
  for (const OptimizerState& state : optimizer->state()) {
    types[state.name] = state.view.dtype;
  }
  EXPECT_EQ(types.at("exp_avg_sq"), DType::u8);
  EXPECT_EQ(types.at("offset"), DType::f32);
}

TEST(Muon, MovesAMatrixByAnOrthogonalOne) {
  const auto kernels = make_cpu_kernels(1);
  for (const auto& [rows, cols] : {std::pair<std::int64_t, std::int64_t>{6, 40}, {40, 6}}) {
    OptimizerSettings s;
    s.type = OptimizerType::muon;
    s.weight_decay = 0;
    s.muon_scaling = MuonScaling::original;
    const auto optimizer = make_optimizer(*kernels, s, {{0, rows, cols, 1.0}});
    std::vector<float> p(240, 0.0F), g(240);
    for (std::size_t i = 0; i < g.size(); ++i) {
      g[i] = static_cast<float>(1e-4 * std::sin(static_cast<double>(i * i)));
    }
    optimizer->step({View(p.data(), DType::f32, {240}), View(g.data(), DType::f32, {240}), 1, 1});
    const double scale = std::sqrt(std::max(1.0, static_cast<double>(rows) / cols));
    for (std::int64_t a = 0; a < 6; ++a) {
      for (std::int64_t b = 0; b < 6; ++b) {
        double dot = 0;
        for (std::int64_t k = 0; k < 40; ++k) {
          const auto at = [&](std::int64_t i) {
            return static_cast<double>(
                p[static_cast<std::size_t>(rows == 6 ? i * 40 + k : k * 6 + i)]);
          };
          dot += at(a) * at(b) / (scale * scale);
        }
        // Five iterations bring singular values near 1: between 0.68 and 1.13.
        EXPECT_NEAR(dot, a == b ? 1 : 0, a == b ? 0.55 : 0.45) << rows << " " << a << " " << b;
      }
    }
  }
}

TEST(Muon, VectorsFollowAdamw) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> expected = {1, -2, 3, -4}, p = expected, g = {0.5F, -1, 1.5F, -2};
  OptimizerSettings s;
  const auto adamw = make_optimizer(*kernels, s, flat_tensor(4));
  s.type = OptimizerType::muon;
  const auto muon = make_optimizer(*kernels, s, flat_tensor(4));
  for (int step = 0; step < 5; ++step) {
    const View gradients(g.data(), DType::f32, {4});
    adamw->step({View(expected.data(), DType::f32, {4}), gradients, 0.01, 1});
    muon->step({View(p.data(), DType::f32, {4}), gradients, 0.01, 1});
  }
  EXPECT_EQ(p, expected);
}

TEST(Optimizer, RefusesOtherBuffers) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> p(8), g(8);
  const auto optimizer = make_optimizer(*kernels, {}, flat_tensor(8));
  const View parameters(p.data(), DType::f32, {8}), gradients(g.data(), DType::f32, {8});
  EXPECT_THROW(optimizer->step({View(p.data(), DType::bf16, {8}), gradients, 1, 1}), Error);
  EXPECT_THROW(optimizer->step({View(p.data(), DType::f32, {7}), gradients, 1, 1}), Error);
  EXPECT_THROW(optimizer->step({parameters, View(g.data(), DType::f8_e5m2, {8}), 1, 1}), Error);
  EXPECT_EQ(optimizer->updates(), 0) << "a refused step doesn't count";
  OptimizerSettings half;
  half.parameters = DType::f16;
  try {
    make_optimizer(*kernels, half, flat_tensor(8));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "S4");
  }
}

}  // namespace
}  // namespace mantissa
