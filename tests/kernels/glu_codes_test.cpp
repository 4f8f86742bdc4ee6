// Gated linear units that write codes give those that `quantize` makes of what they write
// otherwise.
#include <bit>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

class GluCodes : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
};
MANTISSA_FOR_EACH_BACKEND(GluCodes);

struct Format {
  DType values, codes, gradient_codes;
};
constexpr Format kFormats[] = {{DType::bf16, DType::f8_e4m3, DType::f8_e5m2},
                               {DType::bf16, DType::i8, DType::i8},
                               {DType::f16, DType::i8, DType::i8}};
constexpr Unary kGates[] = {Unary::silu, Unary::gelu_erf};
/// Rows and columns: tails of packs, a row for several teams, rows that a team can't hold.
const std::vector<Shape> kShapes = {{1, 1},   {3, 7},    {2, 5, 64}, {1, 2560},
                                    {9, 520}, {2, 2099}, {3, 16'400}};

std::string title(const Format& f, Unary kind, const Shape& shape) {
  return std::string(dtype_name(f.values)) + " as " + std::string(dtype_name(f.codes)) + ", " +
         std::string(unary_name(kind)) + ", " + shape.str();
}

/// A row without numbers, one with an infinity, zeros: whatever a training step may bring.
void disturb(Tensor& values) {
  const std::int64_t cols = values.view.cols(), rows = values.view.rows();
  if (rows < 3) {
    return;
  }
  values.set(cols / 2, std::numeric_limits<double>::quiet_NaN());
  values.set(cols + cols / 3, std::numeric_limits<double>::infinity());
  for (std::int64_t c = 0; c < cols; ++c) {
    values.set(2 * cols + c, 0.0);
  }
}

/// Bits of FP32 values, with all NaNs equal.
std::vector<std::uint32_t> bits_of(const Tensor& values) {
  std::vector<std::uint32_t> bits;
  for (std::int64_t i = 0; i < values.view.count(); ++i) {
    const float value = values.view.as<float>()[i];
    bits.push_back(value != value ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value));
  }
  return bits;
}

TEST_P(GluCodes, ResultsAreQuantizesBitForBit) {
  for (const Format& f : kFormats) {
    for (const Unary kind : kGates) {
      for (const Shape& shape : kShapes) {
        for (const bool disturbed : {false, true}) {
          Shape twice = shape;
          twice[-1] *= 2;
          Tensor both = hash_tensor(f.values, twice, 1, 5.0F);
          if (disturbed) {
            disturb(both);
          }
          const View gate = half_of(both.view, 0), value = half_of(both.view, 1);
          Tensor out(f.values, shape), codes(f.codes, shape), expected(f.codes, shape);
          Tensor scale(DType::f32, {shape.rows()}), scales(DType::f32, {shape.rows()});
          kernels->glu(kind, gate, value, out.view);
          kernels->quantize(out.view, {}, expected.view, scales.view, {});
          kernels->glu_codes(kind, gate, value, codes.view, scale.view);
          EXPECT_EQ(codes.bytes, expected.bytes) << title(f, kind, shape);
          EXPECT_EQ(bits_of(scale), bits_of(scales)) << title(f, kind, shape);
        }
      }
    }
  }
}

TEST_P(GluCodes, GradientsAreQuantizesBitForBit) {
  for (const Format& f : kFormats) {
    for (const Unary kind : kGates) {
      for (const Shape& shape : kShapes) {
        for (const int gate_half : {0, 1}) {
          for (const bool factors : {false, true}) {
            Shape twice = shape;
            twice[-1] *= 2;
            Tensor both = hash_tensor(f.values, twice, 1, 5.0F);
            Tensor d_out = hash_tensor(f.values, shape, 2);
            const Tensor factor = hash_tensor(DType::f32, {twice.cols()}, 3, 0.1F, 0.2F);
            if (factors) {
              disturb(d_out);
            }
            const auto half = [&](const View& v, bool gate) {
              return half_of(v, gate ? gate_half : 1 - gate_half);
            };
            const View gate = half(both.view, true), value = half(both.view, false);
            const View by = factors ? factor.view : View{};
            Tensor d(f.values, twice), codes(f.gradient_codes, twice);
            Tensor expected(f.gradient_codes, twice);
            Tensor scale(DType::f32, {shape.rows()}), scales(DType::f32, {shape.rows()});
            kernels->glu_backward(kind, d_out.view, gate, value, half(d.view, true),
                                  half(d.view, false));
            kernels->quantize(d.view, by, expected.view, scales.view, {});
            kernels->glu_backward_codes(kind, d_out.view, gate, value, by, half(codes.view, true),
                                        half(codes.view, false), scale.view);
            EXPECT_EQ(codes.bytes, expected.bytes) << title(f, kind, shape) << " " << gate_half;
            EXPECT_EQ(bits_of(scale), bits_of(scales)) << title(f, kind, shape) << " " << gate_half;
          }
        }
      }
    }
  }
}

TEST_P(GluCodes, OtherOperandsAreRefused) {
  const Tensor x = hash_tensor(DType::bf16, {4, 16}, 1), half = hash_tensor(DType::f16, {4, 16}, 1);
  Tensor codes(DType::f8_e4m3, {4, 16}), rotated(DType::i8_rotated, {4, 16});
  Tensor both(DType::f8_e5m2, {4, 32}), scale(DType::f32, {4}), one(DType::f32, {1});
  const auto forward = [&](Unary kind, const Tensor& in, const Tensor& out, const Tensor& scales) {
    kernels->glu_codes(kind, in.view, in.view, out.view, scales.view);
  };
  EXPECT_NO_THROW(forward(Unary::silu, x, codes, scale));
  EXPECT_THROW(forward(Unary::sigmoid, x, codes, scale), KernelError);
  EXPECT_THROW(forward(Unary::silu, half, codes, scale), KernelError);
  EXPECT_THROW(forward(Unary::silu, x, rotated, scale), KernelError);
  EXPECT_THROW(forward(Unary::silu, x, codes, one), KernelError);
  const auto backward = [&](const View& d_gate, const View& d_value, const View& factor) {
    kernels->glu_backward_codes(Unary::silu, x.view, x.view, x.view, factor, d_gate, d_value,
                                scale.view);
  };
  EXPECT_NO_THROW(backward(half_of(both.view, 0), half_of(both.view, 1), {}));
  EXPECT_THROW(backward(half_of(both.view, 0), half_of(both.view, 0), {}), KernelError);
  EXPECT_THROW(backward(codes.view, codes.view, {}), KernelError);
  EXPECT_THROW(backward(half_of(both.view, 0), half_of(both.view, 1), one.view), KernelError);
}

}  // namespace
}  // namespace mantissa::testing
