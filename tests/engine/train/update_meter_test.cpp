// Lost updates, in cases that can be counted by hand.
#include "engine/train/update_meter.h"

#include <cmath>
#include <gtest/gtest.h>

#include "engine/optim/make_optimizer.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

struct Case {
  DType masters;
  Rounding rounding;
  double lost;
};

class UpdateMeterTest : public ::testing::TestWithParam<Case> {};

// 64 ones, half of them without a gradient, half an ulp of bf16 away from moving: AdamW's first
// step is the learning rate.
TEST_P(UpdateMeterTest, CountsElementsWithAGradientThatStay) {
  const Case c = GetParam();
  const auto kernels = make_cpu_kernels(1);
  std::vector<std::byte> memory(64 * dtype_size(c.masters));
  const View parameters(memory.data(), c.masters, {64});
  kernels->fill(parameters, 1.0F);
  std::vector<float> gradients(64, 0.0F);
  std::fill(gradients.begin(), gradients.begin() + 32, 0.5F);
  OptimizerSettings settings;
  settings.learning_rate = 1e-3;
  settings.weight_decay = 0;
  settings.parameters = c.masters;
  settings.rounding = c.rounding;
  std::vector<OptimizerPart> groups;
  groups.push_back({kDenoiser, parameters, View(gradients.data(), DType::f32, {64}),
                    make_optimizer(*kernels, settings, flat_tensor(64)), 1e-3});
  groups.back().device = kernels.get();
  Preset::Precision precision;
  precision.stochastic_rounding = c.rounding == Rounding::stochastic;
  precision.kahan = c.rounding == Rounding::kahan;
  UpdateMeter meter(groups, precision);
  LossScaler scaler({LossScaling::Mode::off, 1}, ComputeType::fp32, MasterType::fp32);
  meter.before();
  const StepOutcome outcome =
      StepTransaction(*kernels, scaler, groups).run(0, [](std::int64_t) { return 1.0; });
  StepRecord record;
  meter.after(outcome, record);
  EXPECT_EQ(record.lost_update, c.lost);
  EXPECT_EQ(meter.lost_by_tensor().at(0).at(0), c.lost);
  if (c.masters == DType::f32) {
    EXPECT_NEAR(record.update_ratio, 1e-3 * std::sqrt(0.5), 1e-6);
  }
}

// Stochastic rounding is a setting of 16-bit masters: updates lost by fp32 masters are lost.
TEST(UpdateMeter, Fp32MastersLoseTheirUpdatesWhateverTheRoundingIsSetTo) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> weights(8, 1.0F), gradients(8, 1.0F);
  OptimizerSettings settings;
  settings.type = OptimizerType::sgd;
  settings.weight_decay = 0;
  std::vector<OptimizerPart> groups;
  groups.push_back({kDenoiser, View(weights.data(), DType::f32, {8}),
                    View(gradients.data(), DType::f32, {8}),
                    make_optimizer(*kernels, settings, flat_tensor(8)), 1e-10});
  groups.back().device = kernels.get();
  Preset::Precision precision;
  precision.stochastic_rounding = true;
  precision.kahan = false;
  UpdateMeter meter(groups, precision);
  LossScaler scaler({LossScaling::Mode::off, 1}, ComputeType::fp32, MasterType::fp32);
  meter.before();
  const StepOutcome outcome =
      StepTransaction(*kernels, scaler, groups).run(0, [](std::int64_t) { return 1.0; });
  StepRecord record;
  meter.after(outcome, record);
  EXPECT_EQ(record.lost_update, 1.0);
  EXPECT_EQ(record.update_ratio, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Masters, UpdateMeterTest,
                         ::testing::Values(Case{DType::f32, Rounding::nearest, 0},
                                           Case{DType::bf16, Rounding::nearest, 1},
                                           Case{DType::bf16, Rounding::kahan, 0},
                                           Case{DType::bf16, Rounding::stochastic, 0}));

}  // namespace
}  // namespace mantissa
