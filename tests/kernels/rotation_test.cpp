// Rows rotated in groups, and their int8 codes: on every backend the same as on the CPU, which is
// compared with the definition in fp64.
#include "kernels/rotation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "kernels/check.h"
#include "tests/kernels/golden_cases.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

/// Rows of one group each, of several, of groups of every size, and of several warps' chunks.
const std::vector<Shape> kShapes = {{1, 4},    {3, 16},    {5, 64},    {2, 256}, {7, 320},
                                    {2, 640},  {3, 1280},  {2, 2048},  {4, 36},  {2, 3, 512},
                                    {1, 4096}, {300, 256}, {129, 1028}};

/// The row times the matrix of rotation.h: entry (i, j) is the product of H's over the digits of i
/// and j to base 4.
std::vector<double> rotated(const std::vector<double>& row, std::int64_t group) {
  const auto entry = [group](std::int64_t i, std::int64_t j) {
    double product = 1;
    for (std::int64_t size = 1; size < group; size *= 4, i /= 4, j /= 4) {
      product *= i % 4 + j % 4 == 3 ? -0.5 : 0.5;
    }
    return product;
  };
  std::vector<double> result(row.size());
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto column = static_cast<std::int64_t>(c), first = column / group * group;
    for (std::int64_t j = 0; j < group; ++j) {
      result[c] += entry(column - first, j) * row[static_cast<std::size_t>(first + j)];
    }
  }
  return result;
}

TEST(RotationGroup, IsTheLargestPowerOfFourThatDividesTheRow) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> groups{
      {256, 256}, {1280, 256}, {320, 64}, {640, 64}, {128, 64}, {48, 16}, {36, 4}, {6, 1}, {77, 1}};
  for (const auto& [cols, group] : groups) {
    EXPECT_EQ(rotation_group(cols), group) << cols;
  }
}

TEST(RotateGroups, IsTheDefinitionAndItsOwnInverse) {
  for (const std::int64_t cols : {4, 48, 320, 1280}) {
    std::vector<float> values(static_cast<std::size_t>(cols));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::sin(static_cast<float>(i * i));
    }
    const std::vector<float> before = values;
    const std::vector<double> want = rotated({before.begin(), before.end()}, rotation_group(cols));
    rotate_groups(values.data(), cols, rotation_group(cols));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], want[i], 2e-6) << cols << " " << i;
    }
    rotate_groups(values.data(), cols, rotation_group(cols));
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], before[i], 1e-6) << cols << " " << i;
    }
  }
}

class RotationParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};
};
MANTISSA_FOR_EACH_BACKEND(RotationParity);

TEST_P(RotationParity, RowsOfEveryTypeWithAnAddendOrNone) {
  std::uint64_t seed = 1;
  for (const DType type : {DType::f32, DType::bf16, DType::f16}) {
    for (const Shape& shape : kShapes) {
      for (const std::int64_t gap : {0, 3}) {
        const Pair &x = both_.random(type, shape, seed++, {.gap = gap, .scale = 3.0F}),
                   &addend = both_.random(type, shape, seed++),
                   &out = both_.poisoned(type, shape, gap), &sum = both_.poisoned(type, shape),
                   &onto = both_.random(type, shape, seed++);
        both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
          k.rotate(choose(x), {}, choose(out));
          k.rotate(choose(x), choose(addend), choose(sum));
          k.rotate(choose(x), choose(onto), choose(onto));
        });
        both_.expect_same(out, "alone");
        both_.expect_same(sum, "with an addend");
        both_.expect_same(onto, "onto the addend");
      }
    }
  }
}

TEST_P(RotationParity, CodesAndTheirValues) {
  std::uint64_t seed = 1;
  for (const DType type : {DType::f32, DType::bf16, DType::f16}) {
    for (const Shape& shape : kShapes) {
      const Pair &x = both_.random(type, shape, seed++, {.gap = 5, .scale = 3.0F}),
                 &codes = both_.poisoned(DType::i8_rotated, shape),
                 &scale = both_.poisoned(DType::f32, {shape.rows()});
      const Pair& back = both_.poisoned(type, shape, 3);
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        k.quantize(choose(x), {}, choose(codes), choose(scale), {});
        k.dequantize(choose(codes), choose(scale), choose(back));
      });
      both_.expect_same(codes, "codes");
      both_.expect_same(scale, "scales");
      both_.expect_same(back, "values");
    }
  }
}

TEST_P(RotationParity, StatisticsAreThoseOfTheRotatedValues) {
  SideBySide& both = both_;
  for (const DType type : {DType::f64, DType::f32, DType::bf16}) {
    const Pair &x = both.random(type, {5, 320}, 3, {.gap = 3, .scale = 2.0F}),
               &scale = both.random(DType::f32, {5}, 4, {.scale = 0.01F, .offset = 0.03F});
    TensorStatistics of_rotated[2], of_values[2];
    int run = 0;
    both.run([&](Kernels& k, const SideBySide::Choose& choose) {
      of_rotated[run > 1 ? 1 : 0] =
          k.tensor_statistics(choose(x), {}, DType::i8_rotated, choose(scale));
      of_values[run > 1 ? 1 : 0] = k.tensor_statistics(choose(x), {}, DType::f32, {});
      ++run;
    });
    EXPECT_EQ(of_rotated[0].underflow, of_rotated[1].underflow);
    EXPECT_EQ(of_rotated[0].scaled_amax, of_rotated[1].scaled_amax);
    EXPECT_EQ(of_rotated[0].histogram, of_rotated[1].histogram);
    EXPECT_NEAR(of_rotated[0].noise, of_rotated[1].noise, 1e-6 * of_rotated[0].noise);
    EXPECT_NEAR(of_rotated[0].signal, of_values[0].signal, 1e-5 * of_values[0].signal)
        << "a rotation keeps lengths";
    EXPECT_NE(of_rotated[0].amax, of_values[0].amax);
  }
}

class Rotated : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
  static View view(std::vector<float>& values, const Shape& shape) {
    return {values.data(), DType::f32, shape};
  }
};
MANTISSA_FOR_EACH_BACKEND(Rotated);

// The addend isn't rotated, whether it is `out` or not.
TEST_P(Rotated, RowsAndAnAddendAreThoseOfTheDefinition) {
  const Shape shape{3, 320};
  std::vector<float> x(static_cast<std::size_t>(shape.count())), addend(x.size()), sum(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::sin(static_cast<float>(i * i));
    addend[i] = 5 * std::cos(static_cast<float>(i));
  }
  std::vector<float> onto = addend;
  kernels->rotate(view(x, shape), view(addend, shape), view(sum, shape));
  kernels->rotate(view(x, shape), view(onto, shape), view(onto, shape));
  for (std::int64_t r = 0; r < shape[0]; ++r) {
    const auto first = r * shape[1];
    const std::vector<double> want =
        rotated({x.begin() + first, x.begin() + first + shape[1]}, rotation_group(shape[1]));
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const auto at = static_cast<std::size_t>(first + c);
      const double expected = want[static_cast<std::size_t>(c)] + static_cast<double>(addend[at]);
      ASSERT_NEAR(sum[at], expected, 5e-6) << at;
      ASSERT_NEAR(onto[at], expected, 5e-6) << at;
    }
  }
}

/// A row with one large value: the rotation is there for it.
TEST_P(Rotated, CodesAreThoseOfTheRotatedRowAndKeepSmallValuesBesideALargeOne) {
  constexpr std::int64_t kCols = 512;
  std::vector<float> x = hash_values(7, kCols), scale(1), back(kCols);
  x[77] = 40.0F;
  std::vector<std::int8_t> codes(kCols);
  const View q(codes.data(), DType::i8_rotated, {1, kCols});
  kernels->quantize(view(x, {1, kCols}), {}, q, view(scale, {1}), {});
  const std::vector<double> want = rotated({x.begin(), x.end()}, kMostRotated);
  double most = 0;
  for (const double value : want) {
    most = std::max(most, std::fabs(value));
  }
  EXPECT_NEAR(scale[0], most / 127, 1e-6);
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_NEAR(codes[i], want[i] / scale[0], 0.501) << i;
  }
  const auto noise = [&](DType type) {
    const View codes_of(codes.data(), type, {1, kCols});
    kernels->quantize(view(x, {1, kCols}), {}, codes_of, view(scale, {1}), {});
    kernels->dequantize(codes_of, view(scale, {1}), view(back, {1, kCols}));
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += (x[i] - back[i]) * (x[i] - back[i]);
    }
    return sum;
  };
  EXPECT_LT(noise(DType::i8_rotated), 0.05 * noise(DType::i8));
}

TEST_P(Rotated, ARowWithANonFiniteValueIsNan) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), kInf, -kInf}) {
    std::vector<float> x(2 * 64, 0.5F), scale(2), back(2 * 64);
    x[37] = odd;
    std::vector<std::int8_t> codes(2 * 64);
    const View q(codes.data(), DType::i8_rotated, {2, 64});
    kernels->quantize(view(x, {2, 64}), {}, q, view(scale, {2}), {});
    kernels->dequantize(q, view(scale, {2}), view(back, {2, 64}));
    EXPECT_TRUE(std::isnan(scale[0]));
    for (std::size_t i = 0; i < 64; ++i) {
      EXPECT_TRUE(std::isnan(back[i]));
      EXPECT_NEAR(back[64 + i], 0.5F, 0.01F);
    }
  }
}

/// x·Wᵀ and d_y·W with codes of both, against the values that the codes stand for.
TEST_P(Rotated, ProductsAreThoseOfTheValues) {
  constexpr std::int64_t kM = 21, kN = 36, kK = 320;
  std::vector<float> x = hash_values(1, kM * kK), w = hash_values(2, kN * kK),
                     g = hash_values(3, kM * kN);
  std::vector<std::int8_t> x_codes(x.size()), w_codes(w.size()), g_codes(g.size());
  std::vector<float> x_scale(kM), w_scale(kN), g_scale(kM);
  const View qx(x_codes.data(), DType::i8_rotated, {kM, kK}),
      qw(w_codes.data(), DType::i8_rotated, {kN, kK}), qg(g_codes.data(), DType::i8, {kM, kN});
  kernels->quantize(view(x, {kM, kK}), {}, qx, view(x_scale, {kM}), {});
  kernels->quantize(view(w, {kN, kK}), {}, qw, view(w_scale, {kN}), {});
  kernels->quantize(view(g, {kM, kN}), view(w_scale, {kN}), qg, view(g_scale, {kM}), {});
  std::vector<bfloat16> y(kM * kN), turned(kM * kK), d_x(kM * kK);
  kernels->matmul_codes(qx, view(x_scale, {kM}), qw, view(w_scale, {kN}), {},
                        View(y.data(), DType::bf16, {kM, kN}), {.transpose_b = true});
  kernels->matmul_codes(qg, view(g_scale, {kM}), qw, {}, {},
                        View(turned.data(), DType::bf16, {kM, kK}), {});
  kernels->rotate(View(turned.data(), DType::bf16, {kM, kK}), {},
                  View(d_x.data(), DType::bf16, {kM, kK}));
  kernels->dequantize(qx, view(x_scale, {kM}), view(x, {kM, kK}));
  kernels->dequantize(qw, view(w_scale, {kN}), view(w, {kN, kK}));
  for (std::int64_t r = 0; r < kM; ++r) {
    for (std::int64_t n = 0; n < kN; ++n) {
      double sum = 0;
      for (std::int64_t i = 0; i < kK; ++i) {
        sum += double{x[static_cast<std::size_t>(r * kK + i)]} *
               w[static_cast<std::size_t>(n * kK + i)];
      }
      ASSERT_NEAR(static_cast<float>(y[static_cast<std::size_t>(r * kN + n)]), sum,
                  std::fabs(sum) * 0x1p-8 + 1e-4);
    }
    for (std::int64_t c = 0; c < kK; ++c) {
      double sum = 0;
      for (std::int64_t n = 0; n < kN; ++n) {
        const auto at = static_cast<std::size_t>(r * kN + n);
        const double coded = double{g_scale[static_cast<std::size_t>(r)]} * g_codes[at] /
                             w_scale[static_cast<std::size_t>(n)];
        sum += coded * w[static_cast<std::size_t>(n * kK + c)];
      }
      // Rounded to bf16 before and after it is turned back.
      ASSERT_NEAR(static_cast<float>(d_x[static_cast<std::size_t>(r * kK + c)]), sum,
                  std::fabs(sum) * 0x1p-8 + 0.02);
    }
  }
}

TEST_P(Rotated, WhatDoesNotFitIsRefused) {
  std::vector<std::int8_t> codes(64);
  std::vector<float> x(64), eight(8, 1.0F), one(1, 1.0F);
  std::vector<bfloat16> out(64);
  const View turned(codes.data(), DType::i8_rotated, {8, 8}),
      plain(codes.data(), DType::i8, {8, 8});
  const View y(out.data(), DType::bf16, {8, 8});
  const auto refused = [](auto&& call) { EXPECT_THROW(call(), KernelError); };
  refused([&] { kernels->quantize(view(x, {8, 8}), {}, turned, view(one, {1}), {}); });
  refused([&] {
    kernels->quantize(view(x, {8, 8}), view(eight, {8}), turned, view(eight, {8}), {});
  });
  refused([&] {
    kernels->quantize(view(x, {10, 6}), {}, View(codes.data(), DType::i8_rotated, {10, 6}),
                      view(x, {10}), {});
  });
  refused([&] { kernels->rotate(view(x, {10, 6}), {}, view(x, {10, 6})); });
  refused([&] {
    kernels->matmul_codes(plain, view(eight, {8}), turned, {}, {}, y, {.transpose_b = true});
  });
  refused([&] {
    kernels->matmul_codes(turned, view(eight, {8}), plain, {}, {}, y, {.transpose_b = true});
  });
  refused([&] { kernels->matmul_codes(turned, view(eight, {8}), turned, {}, {}, y, {}); });
}

}  // namespace
}  // namespace mantissa::testing
