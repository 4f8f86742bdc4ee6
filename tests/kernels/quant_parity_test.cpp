// Codes, scales and tensor statistics of every backend: the same as the CPU's.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr DType kFormats[] = {DType::f8_e4m3, DType::f8_e5m2, DType::i8};
const std::vector<Shape> kShapes = {{1},      {1, 7},   {3, 16},    {5, 255}, {2, 256},
                                    {257, 8}, {3, 521}, {2, 3, 64}, {1, 4096}};

class QuantParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};
};

MANTISSA_FOR_EACH_BACKEND(QuantParity);

TEST_P(QuantParity, EveryScaleSourceAndLayout) {
  for (DType format : kFormats) {
    std::uint64_t seed = 1;
    for (DType source : {DType::f32, DType::f16, DType::bf16}) {
      for (const Shape& shape : kShapes) {
        for (std::int64_t gap : {0, 3, 8}) {
          const Pair& x = both_.random(source, shape, seed++, {.gap = gap, .scale = 3.0F});
          const Pair& factor = both_.random(DType::f32, {shape.cols()}, seed++);
          const std::int64_t rows = shape.rows();
          const Pair& codes = both_.poisoned(format, shape);
          const Pair &one = both_.poisoned(DType::f32, {1}),
                     &each = both_.poisoned(DType::f32, {rows});
          const float history[2] = {gap == 3 ? 0.0F : 0.01F, gap == 8 ? 100.0F : 0.0F};
          const Pair& delayed = both_.given(DType::f32, {2}, history);
          for (int mode = 0; mode < (is_float(format) ? 4 : 3); ++mode) {  // the last: delayed
            const Pair& scale = mode == 1 ? each : one;
            both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
              k.quantize(choose(x), mode >= 1 && gap != 3 ? choose(factor) : View(), choose(codes),
                         choose(scale), mode == 3 ? choose(delayed) : View());
            });
            const std::string what = "mode " + std::to_string(mode) + " of " +
                                     std::string(dtype_name(source)) + ", gap " +
                                     std::to_string(gap);
            both_.expect_same(codes, what);
            both_.expect_same(scale, what);
            both_.expect_same(delayed, what);
          }
        }
      }
    }
  }
}

// Single elements in more than one round of all threads of a card.
TEST_P(QuantParity, ThreadsEncodeInSeveralRounds) {
  const Shape shape{3, 180'001};
  const Pair &x = both_.random(DType::f32, shape, 1, {.gap = 0, .scale = 3.0F}),
             &factor = both_.random(DType::f32, {shape.cols()}, 2),
             &codes = both_.poisoned(DType::f8_e4m3, shape),
             &scale = both_.poisoned(DType::f32, {1});
  both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
    k.quantize(choose(x), choose(factor), choose(codes), choose(scale), {});
  });
  both_.expect_same(codes, "codes");
  both_.expect_same(scale, "scale");
}

TEST_P(QuantParity, EveryValueOfSixteenBits) {
  for (DType format : {DType::f8_e4m3, DType::f8_e5m2}) {  // by delayed scales
    std::vector<std::uint16_t> all(65536);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::uint16_t>(i);
    }
    const float history[2] = {1.0F, 0.0F};  // a scale of 1: no effect
    for (DType source : {DType::f16, DType::bf16}) {
      const Pair &x = both_.given(source, {65536}, all.data()),
                 &codes = both_.poisoned(format, {65536}), &scale = both_.poisoned(DType::f32, {1}),
                 &delayed = both_.given(DType::f32, {2}, history);
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        k.quantize(choose(x), {}, choose(codes), choose(scale), choose(delayed));
      });
      both_.expect_same(codes, "all values");
      both_.expect_same(delayed, "all values");
    }
  }
}

TEST_P(QuantParity, ZerosAndOddValuesKeepAFiniteScale) {
  for (DType format : kFormats) {
    for (const std::vector<float>& values : {std::vector<float>{0, 0, -0.0F, 0},
                                             {kNan, kInf, -kInf, 1},
                                             {kNan, kNan, kInf, -kInf},
                                             {1e-44F, 0, 0, 0},
                                             {3e38F, -3.4e38F, 1, 0}}) {
      const Pair &x = both_.given(DType::f32, {2, 2}, values.data()),
                 &codes = both_.poisoned(format, {2, 2}), &each = both_.poisoned(DType::f32, {2});
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        k.quantize(choose(x), {}, choose(codes), choose(each), {});
      });
      both_.expect_same(codes, "odd values");
      both_.expect_same(each, "odd values");
    }
  }
}

TEST_P(QuantParity, CodesComeBackInEveryType) {
  for (DType format : kFormats) {
    std::vector<std::uint8_t> all(256);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<std::uint8_t>(i);
    }
    for (DType to : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      for (const Shape& shape : {Shape{256}, Shape{16, 16}, Shape{32, 8}, Shape{256, 1}}) {
        for (std::int64_t gap : {0, 1, 8}) {
          for (bool by_row : {false, true}) {
            const Pair &codes = both_.given(format, shape, all.data()),
                       &scale = both_.random(DType::f32, {by_row ? shape.rows() : 1}, 5),
                       &out = both_.poisoned(to, shape, gap);
            both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
              k.dequantize(choose(codes), choose(scale), choose(out));
            });
            both_.expect_same(out, by_row ? "a scale a row" : "one scale");
          }
        }
      }
    }
  }
}

void expect_same(const TensorStatistics& expected, const TensorStatistics& got) {
  EXPECT_EQ(expected.count, got.count);
  EXPECT_EQ(expected.zeros, got.zeros);
  EXPECT_EQ(expected.non_finite, got.non_finite);
  EXPECT_EQ(expected.underflow, got.underflow);
  EXPECT_EQ(expected.subnormal, got.subnormal);
  EXPECT_EQ(expected.overflow, got.overflow);
  EXPECT_EQ(expected.amax, got.amax);
  EXPECT_EQ(expected.scaled_amax, got.scaled_amax);
  EXPECT_EQ(expected.histogram, got.histogram);
  EXPECT_NEAR(expected.signal, got.signal, 1e-13 * expected.signal);
  EXPECT_NEAR(expected.noise, got.noise, 1e-6 * expected.noise);  // the CPU may use fma
}

class StatisticsParity : public ::testing::TestWithParam<TestBackend> {};
MANTISSA_FOR_EACH_BACKEND(StatisticsParity);

TEST_P(StatisticsParity, OfEveryFormatSourceAndScale) {
  SideBySide both(GetParam());
  std::uint64_t seed = 1;
  for (DType source : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    for (DType format : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8_e4m3,
                         DType::f8_e5m2, DType::i8}) {
      for (const Shape& shape : {Shape{1}, Shape{3, 257}, Shape{40, 31}}) {
        for (int mode = 0; mode < 3; ++mode) {
          const Pair& x = both.random(source, shape, seed++,
                                      {.gap = mode == 1 ? 5 : 0, .scale = mode == 2 ? 1e-6F : 900});
          const Pair& factor = both.random(DType::f32, {shape.cols()}, seed++);
          const Pair& scale = both.random(DType::f32, {mode == 2 ? 1 : shape.rows()}, seed++,
                                          {.scale = 0.4F, .offset = 0.5F});
          TensorStatistics got[3];
          int run = 0;
          both.run([&](Kernels& k, const SideBySide::Choose& choose) {
            got[run++] = k.tensor_statistics(choose(x), mode == 1 ? choose(factor) : View(), format,
                                             mode != 0 ? choose(scale) : View());
          });
          expect_same(got[2], got[0]);
          EXPECT_EQ(got[0].signal, got[1].signal);
          EXPECT_EQ(got[0].noise, got[1].noise);
        }
      }
    }
  }
}

TEST_P(StatisticsParity, OfOddValues) {
  SideBySide both(GetParam());
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint16_t>(i);
  }
  for (DType source : {DType::f16, DType::bf16}) {
    const Pair& x = both.given(source, {65536}, all.data());
    for (DType format : {DType::f16, DType::bf16, DType::f8_e4m3, DType::f8_e5m2, DType::i8}) {
      TensorStatistics got[3];
      int run = 0;
      both.run([&](Kernels& k, const SideBySide::Choose& choose) {
        got[run++] = k.tensor_statistics(choose(x), {}, format, {});
      });
      expect_same(got[2], got[0]);
      EXPECT_GT(got[0].non_finite, 0);
    }
  }
  const Pair& none = both.poisoned(DType::f32, {0});
  both.run([&](Kernels& k, const SideBySide::Choose& choose) {
    EXPECT_EQ(k.tensor_statistics(choose(none), {}, DType::f16, {}).count, 0);
  });
}

}  // namespace
}  // namespace mantissa::testing
