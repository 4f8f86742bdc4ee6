// Conflict B1: BF16 weights at a learning rate below half their spacing. Plain rounding loses every
// update; stochastic rounding and Kahan's sum follow FP32.
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/preset/names.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/optim/trace.h"

namespace mantissa {
namespace {

/// 600 steps of η = 3e-4 from around 1 towards targets 0.25 below or above; the spacing of bf16
/// there is 2^-7 = 7.8e-3, so that an update is a twenty-sixth of it (with momentum, a third).
class Stall {
 public:
  static constexpr std::size_t kCount = 1024;
  Stall(OptimizerType type, DType parameter, Rounding rounding, StateType state) {
    OptimizerSettings s;
    s.type = type;
    s.weight_decay = 0;
    s.beta2 = 0.99;
    s.parameters = parameter;
    s.rounding = rounding;
    s.state = state;
    s.seed = 3;
    const auto n = static_cast<std::int64_t>(kCount);
    const auto kernels = make_cpu_kernels(1);
    const auto optimizer = make_optimizer(*kernels, s, {{0, 32, 32, 1.0}});
    std::vector<float> wide(kCount), gradient(kCount);
    std::vector<bfloat16> narrow(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      narrow[i] = bfloat16(1.25F + static_cast<float>(0.5 * testing::uniform(i, 1)));
      wide[i] = static_cast<float>(narrow[i]);
    }
    const std::vector<float> start = wide;
    const bool is_bf16 = parameter == DType::bf16;
    const View parameters(is_bf16 ? static_cast<void*>(narrow.data()) : wide.data(), parameter,
                          {n});
    for (std::uint64_t step = 0; step < 600; ++step) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const float p = is_bf16 ? static_cast<float>(narrow[i]) : wide[i];
        gradient[i] =
            p - target(i, start[i]) + static_cast<float>(0.05 * testing::uniform(i, 100 + step));
      }
      optimizer->step({parameters, View(gradient.data(), DType::f32, {n}), 3e-4, 1.0});
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      end.push_back(is_bf16 ? static_cast<float>(narrow[i]) : wide[i]);
      const double off = static_cast<double>(end[i]) - target(i, start[i]);
      loss += 0.5 * off * off / kCount;
      moved += end[i] != start[i] ? 1.0 / kCount : 0.0;
      const double way = static_cast<double>(target(i, start[i])) - start[i];
      progress += (static_cast<double>(end[i]) - start[i]) / way / kCount;
    }
  }
  /// RMS over elements.
  double distance(const Stall& other) const {
    double sum = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const double d = static_cast<double>(end[i]) - other.end[i];
      sum += d * d / kCount;
    }
    return std::sqrt(sum);
  }

  std::vector<float> end;
  double loss = 0;      ///< ½ mean (p - t)²
  double moved = 0;     ///< share of elements that changed
  double progress = 0;  ///< mean share of the way to the target

 private:
  static float target(std::size_t i, float start) { return start + (i % 2 == 0 ? 0.25F : -0.25F); }
};

TEST(Bf16Weights, StochasticRoundingAndKahanFollowWherePlainRoundingStalls) {
  constexpr double kBefore = 0.5 * 0.25 * 0.25;
  for (OptimizerType type : {OptimizerType::adamw, OptimizerType::lion, OptimizerType::sgd}) {
    for (StateType state : {StateType::fp32, StateType::bf16}) {
      const Stall fp32(type, DType::f32, Rounding::nearest, StateType::fp32);
      const Stall plain(type, DType::bf16, Rounding::nearest, state);
      const Stall stochastic(type, DType::bf16, Rounding::stochastic, state);
      const Stall kahan(type, DType::bf16, Rounding::kahan, state);
      std::printf(
          "%s, state %s: way gone: fp32 %.4f, plain bf16 %.4f, stochastic %.4f, kahan %.4f\n",
          std::string(enum_name(type)).c_str(), std::string(enum_name(state)).c_str(),
          fp32.progress, plain.progress, stochastic.progress, kahan.progress);
      EXPECT_LT(fp32.loss, 0.2 * kBefore);
      EXPECT_GT(plain.loss, 0.95 * kBefore) << "plain bf16 must stall, or this test shows nothing";
      EXPECT_LT(plain.moved, 0.02);
      EXPECT_LT(stochastic.loss, 0.25 * kBefore);
      EXPECT_NEAR(stochastic.progress, fp32.progress, 0.015) << "it has no bias";
      // A walk of 600 steps, each off by √(η·spacing) on average at the most.
      EXPECT_LT(stochastic.distance(fp32), 1.1 * std::sqrt(600 * 3e-4 * 0x1p-7));
      EXPECT_LT(kahan.distance(fp32), 0x1p-8) << "half a spacing";
    }
  }
}

TEST(Bf16State, StochasticRoundingLetsTheSecondMomentDecay) {
  // Conflict B2: 0.999·v rounds back to v in bf16; here 3000 steps of zero gradient follow a large
  // one, and v must have decayed to e^-3 of itself.
  const auto kernels = make_cpu_kernels(1);
  OptimizerSettings s;
  s.state = StateType::bf16;
  s.weight_decay = 0;
  const auto optimizer = make_optimizer(*kernels, s, flat_tensor(512));
  std::vector<float> p(512, 1.0F), g(512, 1.0F);
  const View parameters(p.data(), DType::f32, {512}), gradients(g.data(), DType::f32, {512});
  const auto second_moment = [&] {
    double sum = 0;
    for (const OptimizerState& state : optimizer->state()) {
      for (int i = 0; state.name == "exp_avg_sq" && i < 512; ++i) {
        sum += static_cast<double>(static_cast<float>(state.view.as<bfloat16>()[i])) / 512;
      }
    }
    return sum;
  };
  optimizer->step({parameters, gradients, 1e-4, 1.0});
  const double first = second_moment();
  EXPECT_NEAR(first, 1e-3, 1e-5);
  std::fill(g.begin(), g.end(), 0.0F);
  for (int i = 0; i < 3000; ++i) {
    optimizer->step({parameters, gradients, 1e-4, 1.0});
  }
  EXPECT_NEAR(second_moment() / first, std::pow(0.999, 3000), 0.01);
  EXPECT_EQ(static_cast<float>(bfloat16(0.999F * static_cast<float>(bfloat16(1e-3F)))),
            static_cast<float>(bfloat16(1e-3F)))
      << "rounded to nearest it would never move";
}

}  // namespace
}  // namespace mantissa
