// Entries of the catalogue that just work and that no other test covers.
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

/// Values as fp32, from any storage dtype.
std::vector<float> wide(Kernels& kernels, const View& view) {
  std::vector<float> values(static_cast<std::size_t>(view.count()));
  kernels.copy(view, View(values.data(), DType::f32, view.shape));
  return values;
}

// B3. Elsewhere: decay of bf16 weights was rounded on its own, and did nothing.
TEST(JustWorks, WeightDecayMovesBf16Weights) {
  constexpr std::int64_t kCount = 4096;
  constexpr int kSteps = 300;
  const auto kernels = make_cpu_kernels(1);
  OptimizerSettings settings;
  settings.parameters = DType::bf16;
  settings.weight_decay = 0.1;
  settings.seed = 3;
  const auto optimizer = make_optimizer(*kernels, settings, flat_tensor(kCount));
  std::vector<float> ones(kCount, 1.0F), zeros(kCount, 0.0F);
  std::vector<std::uint16_t> storage(kCount);
  const View weights(storage.data(), DType::bf16, {kCount});
  kernels->copy(View(ones.data(), DType::f32, {kCount}), weights);
  for (int i = 0; i < kSteps; ++i) {
    optimizer->step({weights, View(zeros.data(), DType::f32, {kCount}), 1e-3, 1});
  }
  double mean = 0;
  for (const float w : wide(*kernels, weights)) {
    mean += w / kCount;
  }
  // One step removes 1e-4 of a weight, a fortieth of half a step of bf16 below 1.
  const double expected = std::pow(1 - 1e-4, kSteps);
  EXPECT_NEAR(mean, expected, 0.1 * (1 - expected));
}

// N3. Elsewhere: in bf16, timestep 999 was 1000.
TEST(JustWorks, TimestepsStayApartInBf16) {
  constexpr std::int64_t kWidth = 32;
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> t{999, 1000};
  for (const DType type : {DType::bf16, DType::f16, DType::f32}) {
    std::vector<float> storage(2 * kWidth);
    const View out(storage.data(), type, {2, kWidth});
    kernels->timestep_embedding(View(t.data(), DType::f32, {2}), out);
    const std::vector<float> values = wide(*kernels, out);
    EXPECT_NEAR(values[0], std::cos(999.0), 4e-3) << dtype_name(type);
    EXPECT_NEAR(values[kWidth], std::cos(1000.0), 4e-3) << dtype_name(type);
  }
}

}  // namespace
}  // namespace mantissa
