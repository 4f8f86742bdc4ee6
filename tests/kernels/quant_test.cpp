// Codes, scales and their GEMMs, TF32's rounding.
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/check.h"
#include "kernels/weight_codes.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa {
namespace {

using testing::hash_values;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

View f32(std::vector<float>& v, const Shape& shape) {
  return {v.data(), DType::f32, shape};
}
View codes_view(std::vector<std::uint8_t>& v, DType type, const Shape& shape) {
  return {v.data(), type, shape};
}
float decoded(DType type, std::uint8_t code) {
  float value = 0;
  dispatch_codes(
      type, [&]<typename F>() { value = static_cast<float>(*reinterpret_cast<const F*>(&code)); });
  return value;
}

class QuantTest : public ::testing::TestWithParam<testing::TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
};

TEST_P(QuantTest, CodesAreThoseOfPyTorch) {
  std::ifstream file(std::string(MANTISSA_TEST_DATA) + "/golden/quant.bin", std::ios::binary);
  constexpr std::int64_t kCount = 2048;
  std::vector<float> x(kCount);
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(x.data()), kCount * sizeof(float)));
  for (const DType type : {DType::f8_e4m3, DType::f8_e5m2}) {
    std::vector<std::uint8_t> expected(kCount), codes(kCount);
    ASSERT_TRUE(file.read(reinterpret_cast<char*>(expected.data()), kCount));
    // Delayed scaling with scale 1: the numbers themselves are rounded and clamped.
    std::vector<float> scale(1), delayed{1.0F, 0.0F};
    kernels->quantize(f32(x, {1, kCount}), {}, codes_view(codes, type, {1, kCount}),
                      f32(scale, {1}), f32(delayed, {2}));
    EXPECT_EQ(codes, expected);
    EXPECT_EQ(scale[0], 1.0F);
    EXPECT_EQ(delayed[1], 1e38F);
  }
  // int8: 32 rows with a scale each.
  constexpr std::int64_t kRows = 32, kCols = kCount / kRows;
  std::vector<float> scales(kRows), expected_scales(kRows);
  std::vector<std::uint8_t> expected(kCount), codes(kCount);
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(expected_scales.data()), kRows * sizeof(float)));
  ASSERT_TRUE(file.read(reinterpret_cast<char*>(expected.data()), kCount));
  kernels->quantize(f32(x, {kRows, kCols}), {}, codes_view(codes, DType::i8, {kRows, kCols}),
                    f32(scales, {kRows}), {});
  EXPECT_EQ(scales, expected_scales);
  EXPECT_EQ(codes, expected);
}

TEST_P(QuantTest, NonFiniteValuesStayVisible) {
  std::vector<float> x{kNan, kInf, -kInf, 3.0F, -0.0F}, scale(1);
  std::vector<std::uint8_t> codes(5);
  kernels->quantize(f32(x, {1, 5}), {}, codes_view(codes, DType::f8_e4m3, {1, 5}), f32(scale, {1}),
                    {});
  EXPECT_EQ(scale[0], 3.0F / 448.0F) << "infinities don't set the scale";
  EXPECT_TRUE(std::isnan(decoded(DType::f8_e4m3, codes[0])));
  EXPECT_TRUE(std::isnan(decoded(DType::f8_e4m3, codes[1]))) << "E4M3 has no infinity";
  EXPECT_EQ(decoded(DType::f8_e4m3, codes[3]), 448.0F);
  EXPECT_EQ(codes[4], 0x80);
  kernels->quantize(f32(x, {1, 5}), {}, codes_view(codes, DType::f8_e5m2, {1, 5}), f32(scale, {1}),
                    {});
  EXPECT_TRUE(std::isnan(decoded(DType::f8_e5m2, codes[0])));
  EXPECT_EQ(decoded(DType::f8_e5m2, codes[1]), kInf);
  EXPECT_EQ(decoded(DType::f8_e5m2, codes[2]), -kInf);
}

// int8 has no code for NaN: the scale holds it, so that every value of the row is NaN. Q17
TEST_P(QuantTest, AnInt8RowWithANonFiniteValueIsNan) {
  for (const float odd : {kNan, kInf, -kInf}) {
    for (const std::int64_t at : {0, 5, 36}) {
      std::vector<float> x(2 * 37, 0.5F), scale(2), back(2 * 37);
      x[static_cast<std::size_t>(at)] = odd;
      std::vector<std::uint8_t> codes(2 * 37);
      const View q = codes_view(codes, DType::i8, {2, 37});
      kernels->quantize(f32(x, {2, 37}), {}, q, f32(scale, {2}), {});
      EXPECT_TRUE(std::isnan(scale[0]));
      EXPECT_EQ(scale[1], 0.5F / 127.0F);
      kernels->dequantize(q, f32(scale, {2}), f32(back, {2, 37}));
      for (std::size_t i = 0; i < 37; ++i) {
        EXPECT_TRUE(std::isnan(back[i]));
        EXPECT_NEAR(back[37 + i], 0.5F, 1e-7F);
      }
      std::vector<float> one(1);
      kernels->quantize(f32(x, {2, 37}), {}, q, f32(one, {1}), {});
      EXPECT_TRUE(std::isnan(one[0])) << "a shared scale too";
    }
  }
}

/// Codes and scales of several rows, which must be those of each row by itself: one long row with
/// a single scale. A row ends with its largest value, the last one begins and ends with values that
/// aren't finite.
template <typename S>
void expect_rows_as_alone(Kernels& kernels, DType type, std::int64_t cols, bool factors) {
  constexpr std::int64_t kRows = 3;
  const auto count = static_cast<std::size_t>(kRows * cols);
  std::vector<S> x(count);
  const std::vector<float> drawn = hash_values(7, kRows * cols, 4.0F, -2.0F);
  std::vector<float> factor = hash_values(8, cols, 1.0F, 0.5F), scales(kRows), one(1);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = S(drawn[i]);
  }
  x[static_cast<std::size_t>(2 * cols - 1)] = S(9.0F);  // a row's last value is its largest
  x[static_cast<std::size_t>(2 * cols)] = S(-kInf);
  x[static_cast<std::size_t>(3 * cols - 1)] = S(kNan);
  std::vector<std::uint8_t> codes(count), alone(static_cast<std::size_t>(cols));
  constexpr DType kType = std::is_same_v<S, bfloat16> ? DType::bf16 : DType::f32;
  const View by = factors ? f32(factor, {cols}) : View{};
  kernels.quantize(View(x.data(), kType, {kRows, cols}), by, codes_view(codes, type, {kRows, cols}),
                   f32(scales, {kRows}), {});
  for (std::int64_t row = 0; row < kRows; ++row) {
    const auto begin = static_cast<std::size_t>(row * cols);
    kernels.quantize(View(x.data() + begin, kType, {1, cols}), by,
                     codes_view(alone, type, {1, cols}), f32(one, {1}), {});
    const float scale = scales[static_cast<std::size_t>(row)];
    EXPECT_TRUE(scale == one[0] || (std::isnan(scale) && std::isnan(one[0])))
        << cols << " columns, row " << row << ": " << scale << ", not " << one[0];
    if (!std::isnan(one[0])) {  // then codes mean nothing
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(),
                             codes.begin() + static_cast<std::ptrdiff_t>(begin)))
          << cols << " columns, row " << row;
    }
  }
}

TEST_P(QuantTest, RowsOfEveryLengthAreEncodedAsByThemselves) {
  // Warps of a card keep a row of up to 20,480 BF16 values; 13 is no whole access.
  for (const std::int64_t cols : {8, 13, 248, 640, 1280, 1288, 2568, 12288, 12296, 20480, 20488}) {
    for (const DType type : {DType::f8_e4m3, DType::f8_e5m2, DType::i8}) {
      for (const bool factors : {false, true}) {
        expect_rows_as_alone<bfloat16>(*kernels, type, cols, factors);
        expect_rows_as_alone<float>(*kernels, type, cols, factors);
      }
    }
  }
}

TEST_P(QuantTest, OnlyFp8HasDelayedScales) {
  std::vector<float> x(4, 1.0F), one(1), delayed{1.0F, 0.0F};
  std::vector<std::uint8_t> codes(4);
  EXPECT_THROW(kernels->quantize(f32(x, {1, 4}), {}, codes_view(codes, DType::i8, {1, 4}),
                                 f32(one, {1}), f32(delayed, {2})),
               KernelError);
}

TEST_P(QuantTest, AllZerosKeepAFiniteScale) {  // Q7, Q17
  std::vector<float> x(2 * 33, 0.0F), scale(2, kNan), back(2 * 33, kNan);
  x[40] = 2.0F;
  std::vector<std::uint8_t> codes(2 * 33);
  for (const DType type : {DType::f8_e4m3, DType::f8_e5m2, DType::i8}) {
    const View q = codes_view(codes, type, {2, 33});
    kernels->quantize(f32(x, {2, 33}), {}, q, f32(scale, {2}), {});
    EXPECT_EQ(scale[0], 1.0F);
    kernels->dequantize(q, f32(scale, {2}), f32(back, {2, 33}));
    EXPECT_EQ(back, x);
  }
  // Delayed: an amax of 0 changes nothing.
  std::vector<float> zeros(33, 0.0F), one(1), delayed{0.25F, 0.5F};
  kernels->quantize(f32(zeros, {1, 33}), {}, codes_view(codes, DType::f8_e4m3, {1, 33}),
                    f32(one, {1}), f32(delayed, {2}));
  EXPECT_EQ(delayed, (std::vector<float>{0.25F, 0.5F}));
  EXPECT_EQ(one[0], 0.25F);
}

double sqnr_db(const std::vector<float>& x, const std::vector<float>& y) {
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    signal += static_cast<double>(x[i]) * x[i];
    noise += (static_cast<double>(x[i]) - y[i]) * (static_cast<double>(x[i]) - y[i]);
  }
  return 10 * std::log10(signal / noise);
}

// Q2: small weights are lost by a plain cast, and kept with a scale per channel. The figures are
// those of a Gaussian in precision terms: 31.6 dB for E4M3, 25.6 dB for E5M2; for int8, steps of
// 1/127 of the largest of 1024 values, about 3.4 sigma, 42 dB.
TEST_P(QuantTest, ScalesPerChannelKeepSmallWeights) {
  constexpr std::int64_t kRows = 64, kCols = 1024;
  std::vector<float> x(kRows * kCols);
  kernels->normal(f32(x, {kRows, kCols}), {1, 2, 3, 4});
  for (float& v : x) {
    v *= 0.001F;
  }
  for (const auto& [type, expected] :
       {std::pair{DType::f8_e4m3, 31.6}, std::pair{DType::f8_e5m2, 25.6},
        std::pair{DType::i8, 42.3}}) {
    std::vector<std::uint8_t> codes(x.size());
    std::vector<float> scale(kRows), back(x.size());
    const View q = codes_view(codes, type, {kRows, kCols});
    kernels->quantize(f32(x, {kRows, kCols}), {}, q, f32(scale, {kRows}), {});
    kernels->dequantize(q, f32(scale, {kRows}), f32(back, {kRows, kCols}));
    EXPECT_NEAR(sqnr_db(x, back), expected, 0.4);
  }
  std::vector<std::uint8_t> codes(x.size());
  std::vector<float> one(1), back(x.size()), unscaled{1.0F, 0.0F};
  const View q = codes_view(codes, DType::f8_e4m3, {kRows, kCols});
  kernels->quantize(f32(x, {kRows, kCols}), {}, q, f32(one, {1}), f32(unscaled, {2}));
  kernels->dequantize(q, f32(one, {1}), f32(back, {kRows, kCols}));
  EXPECT_NEAR(sqnr_db(x, back), 5.0, 1.0) << "what a plain cast leaves of sigma 0.001";
}

TEST_P(QuantTest, DequantizedValuesAreRoundedOnce) {
  std::vector<std::uint8_t> codes(256);
  for (int i = 0; i < 256; ++i) {
    codes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  }
  std::vector<float> scale{0.3F};
  for (const DType type : {DType::f8_e4m3, DType::f8_e5m2, DType::i8}) {
    std::vector<bfloat16> bf(256);
    std::vector<float16> half(256);
    std::vector<double> wide(256);
    const View q = codes_view(codes, type, {1, 256});
    kernels->dequantize(q, f32(scale, {1}), View(bf.data(), DType::bf16, {1, 256}));
    kernels->dequantize(q, f32(scale, {1}), View(half.data(), DType::f16, {1, 256}));
    kernels->dequantize(q, f32(scale, {1}), View(wide.data(), DType::f64, {1, 256}));
    for (std::size_t i = 0; i < 256; ++i) {
      const float value = decoded(type, codes[i]) * 0.3F;
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(static_cast<float>(bf[i])));
        continue;
      }
      EXPECT_EQ(static_cast<float>(bf[i]), static_cast<float>(bfloat16(value)));
      EXPECT_EQ(static_cast<float>(half[i]), static_cast<float>(float16(value)));
      EXPECT_EQ(wide[i], static_cast<double>(value));
    }
  }
}

class ProductOfCodes : public QuantTest {
 protected:
  /// |out - exact| ≤ half an ulp of bf16 and `slack` of Σ|a·b|.
  void expect_exact(std::int64_t kM, std::int64_t kN, std::int64_t kK, DType a_type,
                    bool transpose_b, bool by_row, double slack, bool adds = false) {
    std::vector<float> a_values = hash_values(1, kM * kK, 1.0F, 0.0F);
    for (std::int64_t m = 0; by_row && m < kM; ++m) {  // of very different sizes
      for (std::int64_t k = 0; k < kK; ++k) {
        a_values[static_cast<std::size_t>(m * kK + k)] *= std::exp2(static_cast<float>(m % 13));
      }
    }
    std::vector<float> b_values = hash_values(2, kN * kK, 0.1F, 0.0F);
    std::vector<std::uint8_t> a(a_values.size()), b(b_values.size());
    std::vector<float> a_scale(by_row ? kM : 1), b_scale(transpose_b ? kN : kK);
    const Shape b_shape = transpose_b ? Shape{kN, kK} : Shape{kK, kN};
    const View aq = codes_view(a, a_type, {kM, kK});
    const View bq = codes_view(b, DType::f8_e4m3, b_shape);
    const View a_scales = f32(a_scale, {std::ssize(a_scale)});
    kernels->quantize(f32(a_values, {kM, kK}), {}, aq, a_scales, {});
    kernels->quantize(f32(b_values, b_shape), {}, bq, f32(b_scale, {b_shape[0]}), {});
    std::vector<bfloat16> bias(kN), out(kM * kN, bfloat16(kNan));
    for (std::int64_t n = 0; n < kN; ++n) {
      bias[static_cast<std::size_t>(n)] = bfloat16(0.01F * static_cast<float>(n));
    }
    MatmulOptions options;
    options.transpose_b = transpose_b;
    std::vector<bfloat16> added(static_cast<std::size_t>(kM * kN), bfloat16(0.0F));
    if (adds) {
      for (std::size_t i = 0; i < added.size(); ++i) {
        added[i] = bfloat16(0.02F * static_cast<float>(i % 50));
      }
      options.beta = 1;
      options.addend = View(added.data(), DType::bf16, {kM, kN});
    }
    kernels->matmul_codes(aq, a_scales, bq, transpose_b ? f32(b_scale, {kN}) : View{},
                          View(bias.data(), DType::bf16, {kN}),
                          View(out.data(), DType::bf16, {kM, kN}), options);
    for (std::int64_t m = 0; m < kM; ++m) {
      for (std::int64_t n = 0; n < kN; ++n) {
        double sum = 0, size = 0;
        for (std::int64_t k = 0; k < kK; ++k) {
          const double product =
              static_cast<double>(decoded(a_type, a[static_cast<std::size_t>(m * kK + k)])) *
              decoded(DType::f8_e4m3,
                      b[static_cast<std::size_t>(transpose_b ? n * kK + k : k * kN + n)]);
          sum += product;
          size += std::fabs(product);
        }
        const double scale =
            static_cast<double>(a_scale[by_row ? static_cast<std::size_t>(m) : 0]) *
            (transpose_b ? b_scale[static_cast<std::size_t>(n)] : 1.0);
        const double expected =
            sum * scale +
            static_cast<double>(static_cast<float>(bias[static_cast<std::size_t>(n)])) +
            static_cast<double>(static_cast<float>(added[static_cast<std::size_t>(m * kN + n)]));
        EXPECT_NEAR(static_cast<float>(out[static_cast<std::size_t>(m * kN + n)]), expected,
                    std::fabs(expected) * 0x1p-8 + size * scale * slack)
            << m << ", " << n;
      }
    }
  }

  /// Both layouts of b and both types of a, by one scale or by row, alone and added to bf16 values.
  void expect_exact_in_every_form(std::int64_t m, std::int64_t n, std::int64_t k, double slack) {
    for (const bool transpose_b : {true, false}) {
      for (const DType a_type : {DType::f8_e4m3, DType::f8_e5m2}) {
        for (const bool by_row : {false, true}) {
          expect_exact(m, n, k, a_type, transpose_b, by_row, slack);
          expect_exact(m, n, k, a_type, transpose_b, by_row, slack, /*adds=*/true);
        }
      }
    }
  }
};

TEST_P(ProductOfCodes, IsExactUpToTheLastRounding) {
  expect_exact_in_every_form(37, 29, 75, 1e-6);
}

TEST_P(ProductOfCodes, InSizesThatCardsMultiplyThemselves) {
  // Tensor cores of sm_89 and sm_90 keep about 14 bits of a sum (arXiv 2412.19437, 3.3.2).
  const double slack = GetParam().name == "cuda" ? 0x1p-11 : 1e-6;
  expect_exact_in_every_form(37, 48, 96, slack);
}

/// int8 codes times int8 codes, in every form, against 64-bit sums.
class ProductOfInt8 : public QuantTest {
 protected:
  template <typename T>
  void expect_exact(std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_b, bool by_row,
                    bool adds) {
    const std::string what = std::to_string(m) + " x " + std::to_string(n) + " x " +
                             std::to_string(k) + (transpose_b ? " transposed" : "") +
                             (by_row ? " by row" : "") + (adds ? " adds" : "");
    const auto codes = [](std::int64_t count, std::uint32_t state) {
      std::vector<std::uint8_t> list(static_cast<std::size_t>(count));
      for (std::uint8_t& code : list) {
        state = state * 1664525u + 1013904223u;
        // Many of the largest, so that sums leave 24 bits.
        code = static_cast<std::uint8_t>((state >> 30) == 0 ? 127 : (state >> 20) % 255 - 127);
      }
      return list;
    };
    std::vector<std::uint8_t> a = codes(m * k, 1), b = codes(n * k, 2);
    const std::vector<float> a_scales = hash_values(3, by_row ? m : 1, 1e-5F, 2e-5F),
                             b_scales = hash_values(4, n, 1.0F, 2.0F);
    constexpr DType kType = std::is_same_v<T, float16> ? DType::f16 : DType::bf16;
    std::vector<T> bias(static_cast<std::size_t>(n)), out(static_cast<std::size_t>(m * n)),
        added(out.size());
    for (std::size_t i = 0; i < bias.size(); ++i) {
      bias[i] = T(0.5F * static_cast<float>(i % 9));
    }
    for (std::size_t i = 0; i < added.size(); ++i) {
      added[i] = T(0.25F * static_cast<float>(i % 11));
    }
    const auto f = [](const std::vector<float>& v) {
      return View(const_cast<float*>(v.data()), DType::f32, {static_cast<std::int64_t>(v.size())});
    };
    MatmulOptions options{.transpose_b = transpose_b};
    if (adds) {
      options.beta = 1;
      options.addend = View(added.data(), kType, {m, n});
    }
    kernels->matmul_codes(codes_view(a, DType::i8, {m, k}), f(a_scales),
                          codes_view(b, DType::i8, transpose_b ? Shape{n, k} : Shape{k, n}),
                          adds ? View{} : f(b_scales),
                          adds ? View{} : View(bias.data(), kType, {n}),
                          View(out.data(), kType, {m, n}), options);
    for (std::int64_t r = 0; r < m; ++r) {
      for (std::int64_t c = 0; c < n; ++c) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < k; ++i) {
          sum += std::int64_t{static_cast<std::int8_t>(a[static_cast<std::size_t>(r * k + i)])} *
                 static_cast<std::int8_t>(
                     b[static_cast<std::size_t>(transpose_b ? c * k + i : i * n + c)]);
        }
        const auto at = static_cast<std::size_t>(r * n + c);
        const double product = static_cast<double>(sum) *
                               a_scales[by_row ? static_cast<std::size_t>(r) : 0] *
                               (adds ? 1.0F : b_scales[static_cast<std::size_t>(c)]);
        const double expected =
            product + static_cast<double>(
                          static_cast<float>(adds ? added[at] : bias[static_cast<std::size_t>(c)]));
        // Half an ulp of the result, and a few roundings of fp32.
        constexpr double kRounding = kType == DType::f16 ? 0x1p-11 : 0x1p-8;
        ASSERT_NEAR(static_cast<float>(out[at]), expected,
                    std::fabs(expected) * kRounding + std::fabs(product) * 0x1p-21)
            << what << " at " << r << ", " << c;
      }
    }
  }

  template <typename T>
  void expect_exact_in_every_size();
};

template <typename T>
void ProductOfInt8::expect_exact_in_every_size() {
  struct Size {
    std::int64_t m, n, k;
  };
  // One row, ragged tiles and panels, depths that aren't multiples of 4, several blocks of depth,
  // rows of a page.
  for (const Size& s :
       {Size{1, 1, 1}, Size{1, 33, 70}, Size{13, 40, 300}, Size{37, 29, 75}, Size{24, 64, 64},
        Size{97, 70, 1030}, Size{100, 31, 2051}, Size{5, 48, 4096}, Size{200, 672, 36}}) {
    for (const bool transpose_b : {true, false}) {
      for (const bool by_row : {true, false}) {
        expect_exact<T>(s.m, s.n, s.k, transpose_b, by_row, false);
      }
      expect_exact<T>(s.m, s.n, s.k, transpose_b, true, true);
    }
  }
}

TEST_P(ProductOfInt8, IsExactUpToTheLastRounding) {
  expect_exact_in_every_size<bfloat16>();
}

TEST_P(ProductOfInt8, IsExactUpToTheLastRoundingToFp16) {
  expect_exact_in_every_size<float16>();
}

TEST_P(ProductOfInt8, IsExactAtTheGreatestDepth) {
  constexpr std::int64_t kDepth = std::int64_t{1} << 17;
  std::vector<std::uint8_t> most(kDepth, 127), least(kDepth, static_cast<std::uint8_t>(-127));
  std::vector<float> scale{0x1p-20F};
  for (std::vector<std::uint8_t>* b : {&most, &least}) {
    std::vector<bfloat16> out(1);
    kernels->matmul_codes(codes_view(most, DType::i8, {1, kDepth}), f32(scale, {1}),
                          codes_view(*b, DType::i8, {kDepth, 1}), {}, {},
                          View(out.data(), DType::bf16, {1, 1}), {});
    const double sum = (b == &most ? 1.0 : -1.0) * 127 * 127 * kDepth * 0x1p-20;
    EXPECT_NEAR(static_cast<float>(out[0]), sum, std::fabs(sum) * 0x1p-8);
  }
}

TEST_P(ProductOfInt8, OperandsThatDoNotFitAreRefused) {
  std::vector<std::uint8_t> codes(64);
  std::vector<float> scale{1.0F}, three(3, 1.0F);
  std::vector<bfloat16> out(64);
  const View q = codes_view(codes, DType::i8, {8, 8}),
             fp8 = codes_view(codes, DType::f8_e4m3, {8, 8});
  const View y(out.data(), DType::bf16, {8, 8});
  EXPECT_THROW(kernels->matmul_codes(q, f32(scale, {1}), fp8, {}, {}, y, {}), KernelError);
  EXPECT_THROW(kernels->matmul_codes(fp8, f32(scale, {1}), q, {}, {}, y, {}), KernelError);
  EXPECT_THROW(kernels->matmul_codes(q, f32(three, {3}), q, {}, {}, y, {}), KernelError);
  const View half(out.data(), DType::f16, {8, 8});
  EXPECT_THROW(kernels->matmul_codes(fp8, f32(scale, {1}), fp8, {}, {}, half, {}), KernelError);
  EXPECT_THROW(kernels->matmul_codes(q, f32(scale, {1}), q, {}, View(out.data(), DType::bf16, {8}),
                                     half, {}),
               KernelError);
  std::vector<std::uint8_t> deep((std::size_t{1} << 17) + 1);
  const auto k = static_cast<std::int64_t>(deep.size());
  EXPECT_THROW(kernels->matmul_codes(codes_view(deep, DType::i8, {1, k}), f32(scale, {1}),
                                     codes_view(deep, DType::i8, {k, 1}), {}, {},
                                     View(out.data(), DType::bf16, {1, 1}), {}),
               KernelError);
}

TEST_P(QuantTest, TwoE5m2OperandsAreRefused) {  // H5
  std::vector<std::uint8_t> codes(64);
  std::vector<float> scale{1.0F};
  std::vector<bfloat16> out(64);
  const View q = codes_view(codes, DType::f8_e5m2, {8, 8});
  EXPECT_THROW(kernels->matmul_codes(q, f32(scale, {1}), q, {}, {},
                                     View(out.data(), DType::bf16, {8, 8}), {}),
               KernelError);
}

TEST_P(QuantTest, Tf32RoundsOperandsToTenBits) {
  // 1 + 2^-10 is the next TF32 number; 1 + 2^-11 is a tie and goes to the even 1.
  std::vector<float> a{1.0F + 0x1p-10F, 1.0F + 0x1p-11F, 1.0F + 0x1.8p-10F, 1.0F + 0x1.002p-11F};
  std::vector<float> one{1.0F}, out(4);
  MatmulOptions options;
  options.tf32 = true;
  kernels->matmul(f32(a, {4, 1}), f32(one, {1, 1}), {}, f32(out, {4, 1}), options);
  if (GetParam().name == "cuda") {  // its cores' rounding is unspecified: to one of the neighbours
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(out[i], a[i], 0x1p-10F);
    }
    return;
  }
  EXPECT_EQ(out, (std::vector<float>{1.0F + 0x1p-10F, 1.0F, 1.0F + 0x1p-9F, 1.0F + 0x1p-10F}));
  std::vector<float> special{kNan, kInf, -kInf, std::numeric_limits<float>::max()};
  kernels->matmul(f32(special, {4, 1}), f32(one, {1, 1}), {}, f32(out, {4, 1}), options);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], kInf);
  EXPECT_EQ(out[2], -kInf);
  // A convolution over one pixel is the same GEMM.
  std::vector<float> pixel{1.0F + 0x1p-11F}, result(1);
  ConvOptions conv;
  conv.tf32 = true;
  kernels->conv2d(f32(pixel, {1, 1, 1, 1}), f32(one, {1, 1, 1, 1}), {}, f32(result, {1, 1, 1, 1}),
                  conv, false);
  EXPECT_EQ(result[0], 1.0F);
}

MANTISSA_FOR_EACH_BACKEND(QuantTest);
MANTISSA_FOR_EACH_BACKEND(ProductOfCodes);
MANTISSA_FOR_EACH_BACKEND(ProductOfInt8);

}  // namespace
}  // namespace mantissa
