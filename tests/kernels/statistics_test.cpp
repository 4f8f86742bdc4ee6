// tensor_statistics against PyTorch's roundings, and by hand.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernels/check.h"
#include "tests/kernels/backends.h"

namespace mantissa {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

View f32(std::vector<float>& v, const Shape& shape) {
  return {v.data(), DType::f32, shape};
}

class StatisticsTest : public ::testing::TestWithParam<testing::TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
};

TEST_P(StatisticsTest, CountsAndNoiseAreThoseOfPyTorchsRounding) {
  std::ifstream file(std::string(MANTISSA_TEST_DATA) + "/golden/statistics.bin", std::ios::binary);
  std::vector<float> x(2048);
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(x.data()), 2048 * sizeof(float)));
  for (const DType format : {DType::f16, DType::bf16, DType::f8_e4m3, DType::f8_e5m2}) {
    for (const bool scaled : {false, true}) {
      SCOPED_TRACE(std::string(dtype_name(format)) + (scaled ? " scaled" : ""));
      double want[73];
      ASSERT_TRUE(file.read(reinterpret_cast<char*>(want), sizeof want));
      std::vector<float> scale{static_cast<float>(want[5]) /
                               static_cast<float>(float_format(format).max)};
      const TensorStatistics s = kernels->tensor_statistics(f32(x, {8, 256}), {}, format,
                                                            scaled ? f32(scale, {1}) : View{});
      EXPECT_EQ(s.count, 2048);
      EXPECT_EQ(static_cast<double>(s.zeros), want[0]);
      EXPECT_EQ(static_cast<double>(s.non_finite), want[1]);
      EXPECT_EQ(static_cast<double>(s.underflow), want[2]);
      EXPECT_EQ(static_cast<double>(s.subnormal), want[3]);
      EXPECT_EQ(static_cast<double>(s.overflow), want[4]);
      EXPECT_EQ(s.amax, want[5]);
      EXPECT_NEAR(s.scaled_amax, want[6], 1e-6 * want[6]);
      EXPECT_NEAR(s.signal, want[7], 1e-12 * want[7]);
      // With a scale, the fp32 rounding of code times scale is part of the 16-bit noise.
      EXPECT_NEAR(s.noise, want[8], (scaled && dtype_size(format) > 1 ? 1e-4 : 1e-6) * want[8]);
      for (std::size_t i = 0; i < TensorStatistics::kBins; ++i) {
        EXPECT_EQ(static_cast<double>(s.histogram[i]), want[9 + i]) << i;
      }
    }
  }
}

TEST_P(StatisticsTest, HandMadeTensor) {
  // fp16: 1e-9 vanishes, 3e-6 is subnormal, 70000 is beyond 65504.
  std::vector<float> x{0.0F,  -0.0F,    1.0F, -4.0F, 1e-9F,
                       3e-6F, 70000.0F, kInf, -kInf, std::numeric_limits<float>::quiet_NaN()};
  const TensorStatistics s = kernels->tensor_statistics(f32(x, {10}), {}, DType::f16, {});
  EXPECT_EQ(s.count, 10);
  EXPECT_EQ(s.zeros, 2);
  EXPECT_EQ(s.non_finite, 3);
  EXPECT_EQ(s.underflow, 1);
  EXPECT_EQ(s.subnormal, 1);
  EXPECT_EQ(s.overflow, 1);
  EXPECT_EQ(s.used(), 5);
  EXPECT_EQ(s.share(s.overflow), 0.2);
  EXPECT_EQ(s.amax, 70000.0);
  EXPECT_NEAR(s.headroom(DType::f16), std::log2(65504.0 / 70000.0), 1e-12);
  EXPECT_EQ(s.histogram[40], 1) << "1 = 2^0";
  EXPECT_EQ(s.histogram[42], 1) << "4 = 2^2";
  EXPECT_EQ(s.histogram[10], 1) << "1e-9 lies above 2^-30";
  EXPECT_NEAR(s.noise, std::pow(70000.0 - 65504.0, 2), 1.0);
}

TEST_P(StatisticsTest, ExactFormatLosesNothing) {
  std::vector<float> x{1.1F, 1e-30F, -3e30F};
  const TensorStatistics s = kernels->tensor_statistics(f32(x, {3}), {}, DType::f32, {});
  EXPECT_EQ(s.noise, 0.0);
  EXPECT_TRUE(std::isinf(s.sqnr()));
  EXPECT_EQ(s.underflow + s.subnormal + s.overflow, 0);
  EXPECT_EQ(s.histogram.front(), 1) << "1e-30 stands in the first bin";
  EXPECT_EQ(s.histogram.back(), 1) << "3e30 in the last";
}

// int8's numbers are all one step apart: a share of it vanishes, nothing has fewer digits.
TEST_P(StatisticsTest, Int8HasEvenSteps) {
  std::vector<float> x{0.0F, 0.4F, 0.6F, -2.5F, 3.5F, 126.4F, -127.4F, 128.0F};
  const TensorStatistics s = kernels->tensor_statistics(f32(x, {8}), {}, DType::i8, {});
  EXPECT_EQ(s.zeros, 1);
  EXPECT_EQ(s.underflow, 1);
  EXPECT_EQ(s.subnormal, 0);
  EXPECT_EQ(s.overflow, 1);
  EXPECT_NEAR(s.noise, 0.16 + 0.16 + 0.25 + 0.25 + 0.16 + 0.16 + 1.0, 1e-4) << "halves go to even";
}

// A quantised layer's actual operands: the codes of x·factor with row scales. The source's
// statistics must match a comparison with those codes.
TEST_P(StatisticsTest, NoiseIsThatOfTheCodesKept) {
  constexpr std::int64_t kRows = 13, kCols = 517;
  std::vector<float> x(kRows * kCols), factor(kCols), scale(kRows), back(x.size());
  kernels->normal(f32(x, {kRows, kCols}), {1, 2, 3, 4});
  kernels->normal(f32(factor, {kCols}), {5, 2, 3, 4});
  std::vector<std::uint8_t> codes(x.size());
  const View view = f32(x, {kRows, kCols});
  for (const DType type : {DType::f8_e5m2, DType::i8}) {
    const View q(codes.data(), type, {kRows, kCols});
    kernels->quantize(view, f32(factor, {kCols}), q, f32(scale, {kRows}), {});
    kernels->dequantize(q, f32(scale, {kRows}), f32(back, {kRows, kCols}));
    double signal = 0, noise = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float v = x[i] * factor[i % kCols];
      signal += static_cast<double>(v) * v;
      noise += std::pow(static_cast<double>(v) - back[i], 2);
    }
    const TensorStatistics s =
        kernels->tensor_statistics(view, f32(factor, {kCols}), type, f32(scale, {kRows}));
    EXPECT_NEAR(s.signal, signal, 1e-10 * signal);
    EXPECT_NEAR(s.noise, noise, 1e-6 * noise);
    EXPECT_NEAR(s.scaled_amax, float_format(type).max, 0.01);
    EXPECT_NEAR(s.headroom(type), 0.0, 1e-6);
  }
}

TEST_P(StatisticsTest, SameForEveryRunStrideAndSourceType) {
  constexpr std::int64_t kRows = 300, kCols = 333;
  std::vector<float> wide(kRows * 400);
  kernels->normal(f32(wide, {kRows, 400}), {9, 2, 3, 4});
  View slice = f32(wide, {kRows, 400});
  slice.shape[1] = kCols;
  std::vector<float> packed(kRows * kCols);
  const View dense = f32(packed, {kRows, kCols});
  kernels->copy(slice, dense);
  const TensorStatistics a = kernels->tensor_statistics(dense, {}, DType::f16, {});
  const TensorStatistics b = kernels->tensor_statistics(dense, {}, DType::f16, {});
  const TensorStatistics c = kernels->tensor_statistics(slice, {}, DType::f16, {});
  EXPECT_EQ(a.signal, b.signal);
  EXPECT_EQ(a.noise, b.noise);
  EXPECT_NEAR(a.noise, c.noise, 1e-12 * a.noise);
  EXPECT_EQ(a.histogram, c.histogram);
  EXPECT_EQ(a.amax, c.amax);
  for (const DType type : {DType::f64, DType::f16, DType::bf16}) {
    std::vector<std::byte> bytes(packed.size() * dtype_size(type));
    const View narrow(bytes.data(), type, {kRows, kCols});
    kernels->copy(dense, narrow);
    const TensorStatistics s = kernels->tensor_statistics(narrow, {}, type, {});
    EXPECT_EQ(s.noise, 0.0) << "stored so already: " << dtype_name(type);
    EXPECT_NEAR(s.signal, a.signal, 0.01 * a.signal);
  }
}

TEST_P(StatisticsTest, QueuedOnesAreTheSameInTheirOrder) {
  std::vector<float> x(700), factor(7, 0.25F), scale(100, 3.0F);
  kernels->normal(f32(x, {100, 7}), {1, 2, 3, 4});
  const View view = f32(x, {100, 7});
  EXPECT_TRUE(kernels->take_statistics().empty());
  // More than one batch of results.
  std::vector<TensorStatistics> expected;
  for (int i = 0; i < 1030; ++i) {
    const std::int64_t rows = i < 3 ? 100 : 1 + i % 2;
    const View part(x.data(), DType::f32, {rows, 7});
    kernels->queue_statistics(part, {}, DType::f16, {});
    if (i < 5) {
      expected.push_back(kernels->tensor_statistics(part, {}, DType::f16, {}));
    }
  }
  kernels->queue_statistics(view, f32(factor, {7}), DType::f8_e4m3, f32(scale, {100}));
  expected.push_back(
      kernels->tensor_statistics(view, f32(factor, {7}), DType::f8_e4m3, f32(scale, {100})));
  kernels->queue_statistics(View(x.data(), DType::f32, {0, 7}), {}, DType::f16, {});
  const std::vector<TensorStatistics> taken = kernels->take_statistics();
  ASSERT_EQ(taken.size(), 1032U);
  EXPECT_EQ(taken[1031].count, 0);
  for (std::size_t i = 0; i < 1031; ++i) {
    const TensorStatistics& e = expected[i < 3 ? i : i == 1030 ? 5 : 3 + (i - 3) % 2];
    ASSERT_EQ(taken[i].count, e.count) << i;
    ASSERT_EQ(taken[i].signal, e.signal) << i;
    ASSERT_EQ(taken[i].noise, e.noise) << i;
    ASSERT_EQ(taken[i].histogram, e.histogram) << i;
  }
  EXPECT_TRUE(kernels->take_statistics().empty());
}

TEST_P(StatisticsTest, RefusesWhatItCanNotRead) {
  std::vector<float> x(4);
  const View view = f32(x, {4});
  EXPECT_THROW(kernels->tensor_statistics(view, {}, DType::i32, {}), KernelError);
  EXPECT_THROW(kernels->tensor_statistics(View(x.data(), DType::f8_e4m3, {4}), {}, DType::f16, {}),
               KernelError);
  EXPECT_THROW(kernels->tensor_statistics(view, {}, DType::f8_e4m3, f32(x, {3})), KernelError);
}

MANTISSA_FOR_EACH_BACKEND(StatisticsTest);

}  // namespace
}  // namespace mantissa
