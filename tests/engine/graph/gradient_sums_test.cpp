// Accumulation of GEMM gradients in fp32.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

std::vector<float> wave(std::int64_t count, float phase) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i * 37 % 101) + phase);
  }
  return values;
}

/// A value rounded to 16 bits, or fp32.
double held(DType type, float x) {
  return type == DType::bf16  ? static_cast<double>(static_cast<float>(bfloat16(x)))
         : type == DType::f16 ? static_cast<double>(static_cast<float>(float16(x)))
                              : static_cast<double>(x);
}

/// A trainable fp32 weight [kOut, kIn] whose gradient begins at 0.25; graphs whose output "y"
/// [kRows, kOut] has the gradient d_y, both in `type`.
class GradientSums : public ::testing::TestWithParam<DType> {
 protected:
  static constexpr std::int64_t kRows = 37, kIn = 24, kOut = 10;
  std::unique_ptr<Kernels> kernels = make_cpu_kernels(2);
  Graph graph;
  std::vector<float> values = wave(kOut * kIn, 0.5F),
                     gradient = std::vector<float>(kOut * kIn, 0.25F);
  Tensor weight{.name = "w",
                .shape = {kOut, kIn},
                .data = values.data(),
                .trainable = true,
                .grad = gradient.data()};
  std::vector<float> x = wave(kRows * kIn, 0.0F), d_y = wave(kRows * kOut, 2.0F);
  Plan plan;

  Value in() { return graph.input("x", GetParam(), {kRows, kIn}); }
  Value read() { return read_tensor(graph, weight, GetParam()); }

  void run(Value y) {
    const DType type = GetParam();
    const Value d = graph.input("d_y", type, {1, kRows * kOut});
    const Value ones = constant(graph, type, {kRows * kOut, 1}, 1.0F);
    // The loss Σ d_y·y: with a loss gradient of 1, that of y is exactly d_y.
    graph.backward(reshape(matmul(multiply(reshape(y, {1, kRows * kOut}), d), ones, {}), Shape{}),
                   false);
    plan = make_plan(graph);
    Arena arena(*kernels);
    Executor executor(graph, plan, *kernels, arena);
    for (const auto& [name, list] : {std::pair("x", &x), std::pair("d_y", &d_y)}) {
      if (executor.has_input(name)) {
        const View to = executor.input(name);
        kernels->copy(View(list->data(), DType::f32, to.shape), to);
      }
    }
    executor.run({});
  }

  /// 0.25 + factor·d_yᵀ·x over 16-bit operands, summed in fp64.
  double expected(std::int64_t o, std::int64_t i, double factor = 1) const {
    double sum = 0;
    for (std::int64_t r = 0; r < kRows; ++r) {
      sum += held(GetParam(), d_y[static_cast<std::size_t>(r * kOut + o)]) *
             held(GetParam(), x[static_cast<std::size_t>(r * kIn + i)]);
    }
    return 0.25 + factor * sum;
  }
  /// Largest distance of the gradient from the expected value.
  double error(double factor = 1) const {
    double worst = 0;
    for (std::int64_t i = 0; i < kOut * kIn; ++i) {
      worst = std::max(worst, std::fabs(static_cast<double>(gradient[static_cast<std::size_t>(i)]) -
                                        expected(i / kIn, i % kIn, factor)));
    }
    return worst;
  }
  int count(const std::string& name) const {
    return static_cast<int>(std::count_if(plan.order.begin(), plan.order.end(), [&](int i) {
      return graph.nodes()[static_cast<std::size_t>(i)].op->name() == name;
    }));
  }
};

INSTANTIATE_TEST_SUITE_P(Types, GradientSums,
                         ::testing::Values(DType::f32, DType::f16, DType::bf16),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

constexpr double kSummed = 1e-5;  ///< of sums of 37 products up to 1; bf16 would be off by 0.02

TEST_P(GradientSums, AProductAddsItsSumsUnrounded) {
  run(matmul(in(), read(), {.transpose_b = true}));
  EXPECT_LT(error(), kSummed);
  EXPECT_EQ(count("accumulate_product"), 1);
  EXPECT_EQ(count("accumulate_gradient"), 0);
  EXPECT_EQ(count("cast"), 0);
}

TEST_P(GradientSums, WithTheProductsFactorAndEitherLayout) {
  const Value w = reshape(read(), {kOut, kIn});
  const Value turned = matmul(w, in(), {.transpose_b = true, .alpha = 0.5F});  // [kOut, kRows]
  std::vector<float> by_column(d_y.size());
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t o = 0; o < kOut; ++o) {
      by_column[static_cast<std::size_t>(o * kRows + r)] =
          d_y[static_cast<std::size_t>(r * kOut + o)];
    }
  }
  const std::vector<float> by_row = std::exchange(d_y, by_column);
  run(turned);
  d_y = by_row;
  EXPECT_LT(error(0.5), kSummed);
  EXPECT_EQ(count("accumulate_product"), 1);
}

TEST_P(GradientSums, TheWholeGradientIsThereBeforeItIsAnnouncedOnce) {
  std::vector<double> seen;
  weight.gradient_ready = [&] { seen.push_back(error(3)); };
  const Value a = in();
  const Value y = matmul(a, read(), {.transpose_b = true});
  run(add(matmul(a, read(), {.transpose_b = true, .alpha = 2.0F}), y));
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_LT(seen[0], 3 * kSummed);
  EXPECT_LT(error(3), 3 * kSummed);
}

TEST_P(GradientSums, WhatIsNoProductIsAddedAsItWas) {
  // y = x·Wᵀ + the first column of W for every row: Σ_r d_y of each output.
  int calls = 0;
  weight.gradient_ready = [&] { ++calls; };
  const Value first = reshape(slice_channels(read(), 0, 1), {1, kOut});
  const Value product = matmul(in(), read(), {.transpose_b = true});
  run(add_per_sample(reshape(product, {1, kRows, kOut}), first));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(count("accumulate_product"), 1);
  EXPECT_EQ(count("accumulate_gradient"), 1);
  const double once = GetParam() == DType::f32 ? 1e-5 : GetParam() == DType::f16 ? 0.02 : 0.1;
  for (std::int64_t o = 0; o < kOut; ++o) {
    double column = 0;
    for (std::int64_t r = 0; r < kRows; ++r) {
      column += held(GetParam(), d_y[static_cast<std::size_t>(r * kOut + o)]);
    }
    EXPECT_NEAR(static_cast<double>(gradient[static_cast<std::size_t>(o * kIn)]),
                expected(o, 0) + column, once);
    EXPECT_NEAR(static_cast<double>(gradient[static_cast<std::size_t>(o * kIn + 1)]),
                expected(o, 1), once);
  }
}

TEST_P(GradientSums, ANarrowAccumulatorTakesWhatWasRoundedToIt) {
  std::vector<bfloat16> sums(gradient.size(), bfloat16(0.25F));
  weight.grad = sums.data();
  weight.grad_dtype = DType::bf16;
  run(matmul(in(), read(), {.transpose_b = true}));
  EXPECT_EQ(count("accumulate_product"), 0);
  EXPECT_EQ(count("accumulate_gradient"), 1);
  for (std::int64_t i = 0; i < kOut * kIn; ++i) {
    const double want = expected(i / kIn, i % kIn);
    EXPECT_NEAR(static_cast<float>(sums[static_cast<std::size_t>(i)]), want,
                0x1p-6 * (std::fabs(want) + 1));
  }
}

TEST_P(GradientSums, AnInfiniteOperandReachesTheSum) {
  d_y[3] = std::numeric_limits<float>::infinity();  // row 0, output 3
  run(matmul(in(), read(), {.transpose_b = true}));
  for (std::int64_t i = 0; i < kIn; ++i) {
    EXPECT_FALSE(std::isfinite(gradient[static_cast<std::size_t>(3 * kIn + i)])) << i;
    EXPECT_TRUE(std::isfinite(gradient[static_cast<std::size_t>(2 * kIn + i)])) << i;
  }
}

TEST_P(GradientSums, AConvolutionsWeightToo) {
  // A 1x1 convolution over kRows pixels is the same GEMM.
  weight.shape = {kOut, kIn, 1, 1};
  const Value image = reshape(in(), {1, 1, kRows, kIn});
  run(conv2d(image, read(), {}, {}));
  EXPECT_LT(error(), kSummed);
  EXPECT_EQ(count("accumulate_conv2d"), 1);
  EXPECT_EQ(count("conv2d_backward_weight"), 0);
  EXPECT_EQ(count("cast"), 0);
}

// Sums beyond fp16's largest number: rounded to fp16 they were infinite.
TEST(GradientSum, LargerThanTheOperandsDtypeHolds) {
  const auto kernels = make_cpu_kernels(1);
  std::vector<float> values(1, 1.0F), gradient(1, 0.0F);
  Tensor weight{.name = "w",
                .shape = {1, 1},
                .data = values.data(),
                .trainable = true,
                .grad = gradient.data()};
  Graph graph;
  const std::int64_t rows = 100;
  const Value y = matmul(constant(graph, DType::f16, {rows, 1}, 1000.0F),
                         read_tensor(graph, weight, DType::f16), {});
  const Value ones = constant(graph, DType::f16, {1, rows}, 1.0F);
  graph.backward(reshape(matmul(ones, y, {}), Shape{}), false);
  const Plan plan = make_plan(graph);
  Arena arena(*kernels);
  Executor(graph, plan, *kernels, arena).run({});
  EXPECT_EQ(gradient[0], 100000.0F);
}

}  // namespace
}  // namespace mantissa
