// FP8 codes, scales and GEMMs, TF32's rounding.
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernels/check.h"
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
  if (type == DType::f8_e4m3) {
    float8_e4m3 x;
    x.bits = code;
    return static_cast<float>(x);
  }
  float8_e5m2 x;
  x.bits = code;
  return static_cast<float>(x);
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

TEST_P(QuantTest, AllZerosKeepAFiniteScale) {  // Q7
  std::vector<float> x(2 * 33, 0.0F), scale(2, kNan), back(2 * 33, kNan);
  x[40] = 2.0F;
  std::vector<std::uint8_t> codes(2 * 33);
  const View q = codes_view(codes, DType::f8_e4m3, {2, 33});
  kernels->quantize(f32(x, {2, 33}), {}, q, f32(scale, {2}), {});
  EXPECT_EQ(scale[0], 1.0F);
  kernels->dequantize(q, f32(scale, {2}), f32(back, {2, 33}));
  EXPECT_EQ(back, x);
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
// those of a Gaussian in precision terms: 31.6 dB for E4M3, 25.6 dB for E5M2.
TEST_P(QuantTest, ScalesPerChannelKeepSmallWeights) {
  constexpr std::int64_t kRows = 64, kCols = 1024;
  std::vector<float> x(kRows * kCols);
  kernels->normal(f32(x, {kRows, kCols}), {1, 2, 3, 4});
  for (float& v : x) {
    v *= 0.001F;
  }
  for (const auto& [type, expected] :
       {std::pair{DType::f8_e4m3, 31.6}, std::pair{DType::f8_e5m2, 25.6}}) {
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
  for (const DType type : {DType::f8_e4m3, DType::f8_e5m2}) {
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
                    bool transpose_b, double slack, bool adds = false) {
    std::vector<float> a_values = hash_values(1, kM * kK, 1.0F, 0.0F);
    std::vector<float> b_values = hash_values(2, kN * kK, 0.1F, 0.0F);
    std::vector<std::uint8_t> a(a_values.size()), b(b_values.size());
    std::vector<float> a_scale(1), b_scale(transpose_b ? kN : kK);
    const Shape b_shape = transpose_b ? Shape{kN, kK} : Shape{kK, kN};
    const View aq = codes_view(a, a_type, {kM, kK});
    const View bq = codes_view(b, DType::f8_e4m3, b_shape);
    kernels->quantize(f32(a_values, {kM, kK}), {}, aq, f32(a_scale, {1}), {});
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
    kernels->matmul_fp8(aq, f32(a_scale, {1}), bq, transpose_b ? f32(b_scale, {kN}) : View{},
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
        const double scale = static_cast<double>(a_scale[0]) *
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

  /// Both layouts of b and both types of a, alone and added to bf16 values.
  void expect_exact_in_every_form(std::int64_t m, std::int64_t n, std::int64_t k, double slack) {
    for (const bool transpose_b : {true, false}) {
      for (const DType a_type : {DType::f8_e4m3, DType::f8_e5m2}) {
        expect_exact(m, n, k, a_type, transpose_b, slack);
        expect_exact(m, n, k, a_type, transpose_b, slack, /*adds=*/true);
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

TEST_P(QuantTest, TwoE5m2OperandsAreRefused) {  // H5
  std::vector<std::uint8_t> codes(64);
  std::vector<float> scale{1.0F};
  std::vector<bfloat16> out(64);
  const View q = codes_view(codes, DType::f8_e5m2, {8, 8});
  EXPECT_THROW(
      kernels->matmul_fp8(q, f32(scale, {1}), q, {}, {}, View(out.data(), DType::bf16, {8, 8}), {}),
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

}  // namespace
}  // namespace mantissa
