// Weights read as codes by GEMMs: the same bits as with the decoded weight.
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "kernels/weight_codes.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

constexpr DType kCodes[] = {DType::f8_e4m3, DType::f8_e5m2, DType::i8};
constexpr DType kValues[] = {DType::f32, DType::bf16, DType::f16};

/// All kinds of codes except NaN and infinities, and one scale per row, of very different sizes.
struct CodedWeight {
  CodedWeight(DType type, const Shape& weight_shape)
      : shape(weight_shape),
        codes(static_cast<std::size_t>(weight_shape.count())),
        scales(static_cast<std::size_t>(weight_shape[0])) {
    const std::uint32_t most = type == DType::f8_e5m2 ? 0x7b : 0x7e;
    std::uint32_t state = 12345;
    for (std::uint8_t& code : codes) {
      state = state * 1664525u + 1013904223u;
      code = static_cast<std::uint8_t>((state >> 24) % (most + 1) | (state >> 16 & 0x80));
    }
    for (std::size_t i = 0; i < scales.size(); ++i) {
      scales[i] = (i % 3 == 0 ? 0.0007F : 0.013F) * static_cast<float>(i % 7 + 1);
    }
    view = View(codes.data(), type, shape);
    view.scale = scales.data();
  }
  View scale_view() { return {scales.data(), DType::f32, {shape[0]}}; }
  /// The values as a weight of `dtype`.
  Tensor decoded(Kernels& kernels, DType dtype) {
    Tensor values(dtype, shape);
    const Shape matrix{shape[0], shape.count() / shape[0]};
    kernels.dequantize(View(codes.data(), view.dtype, matrix), scale_view(),
                       View(values.view.data, dtype, matrix));
    return values;
  }
  Shape shape;
  std::vector<std::uint8_t> codes;
  std::vector<float> scales;
  View view;
};

class CodedWeights : public ::testing::TestWithParam<TestBackend> {
 protected:
  void SetUp() override {
    if (!kernels->decodes_weights()) {
      GTEST_SKIP() << kernels->name() << " is given decoded weights";
    }
  }
  std::unique_ptr<Kernels> kernels = GetParam().make();
};

struct MatmulCase {
  std::int64_t m, n, k;
  bool transpose_b, transpose_a = false;
};
// Few rows, whole and ragged tiles and panels, odd depths, several blocks of depth, many panels.
constexpr MatmulCase kMatmuls[] = {
    {1, 33, 70, true},      {4, 16, 64, true},        {8, 7, 129, true},    {9, 65, 130, true},
    {13, 40, 300, true},    {77, 96, 64, true},       {100, 31, 513, true}, {7, 50, 66, false},
    {24, 33, 64, false},    {90, 130, 77, false},     {97, 48, 258, false}, {300, 640, 320, true},
    {300, 320, 640, false}, {20, 36, 48, true, true},
};

TEST_P(CodedWeights, MatmulIsThatOfTheDecodedWeight) {
  for (const MatmulCase& c : kMatmuls) {
    for (const DType type : kCodes) {
      CodedWeight weight(type, c.transpose_b ? Shape{c.n, c.k} : Shape{c.k, c.n});
      for (const DType dtype : kValues) {
        const Tensor w = weight.decoded(*kernels, dtype);
        const Tensor a = hash_tensor(dtype, c.transpose_a ? Shape{c.k, c.m} : Shape{c.m, c.k}, 1);
        const Tensor bias = hash_tensor(dtype, {c.n}, 2);
        for (const float beta : {0.0F, 1.0F}) {
          Tensor expected = hash_tensor(dtype, {c.m, c.n}, 3);
          Tensor out = hash_tensor(dtype, {c.m, c.n}, 3);
          const MatmulOptions options{c.transpose_a, c.transpose_b, 0.5F, beta};
          const View plus = beta == 0 ? bias.view : View{};
          kernels->matmul(a.view, w.view, plus, expected.view, options);
          kernels->matmul(a.view, weight.view, plus, out.view, options);
          EXPECT_EQ(out.bytes, expected.bytes)
              << c.m << " x " << c.n << " x " << c.k << (c.transpose_b ? " transposed " : " ")
              << dtype_name(type) << " as " << dtype_name(dtype) << ", beta " << beta;
        }
      }
    }
  }
}

// Blocks and rotated codes are decoded as a whole, by the graph.
TEST_P(CodedWeights, MatmulTakesNoGroupedCodes) {
  CodedWeight weight(DType::i8_rotated, {32, 64});
  const Tensor a = hash_tensor(DType::bf16, {8, 64}, 1);
  Tensor out(DType::bf16, {8, 32});
  EXPECT_THROW(kernels->matmul(a.view, weight.view, {}, out.view, {.transpose_b = true}),
               KernelError);
}

TEST_P(CodedWeights, MatmulIntoFp32IsThatOfTheDecodedWeight) {
  for (const std::int64_t m : {3, 40}) {
    CodedWeight weight(DType::f8_e4m3, {70, 96});
    const Tensor w = weight.decoded(*kernels, DType::bf16);
    const Tensor a = hash_tensor(DType::bf16, {m, 96}, 1);
    Tensor expected(DType::f32, {m, 70}), out(DType::f32, {m, 70});
    kernels->matmul(a.view, w.view, {}, expected.view, {.transpose_b = true});
    kernels->matmul(a.view, weight.view, {}, out.view, {.transpose_b = true});
    EXPECT_EQ(out.bytes, expected.bytes) << m << " rows";
  }
}

struct CodedConv {
  std::int64_t batch, size, in, out, kernel;
  int stride, pad;
};
// Lines (few channels), gathered and in-place images, odd channels, strides, 1x1 kernels.
constexpr CodedConv kConvs[] = {
    {1, 16, 4, 40, 3, 1, 1},  {2, 9, 33, 20, 3, 1, 1},     {1, 16, 64, 48, 3, 1, 1},
    {1, 8, 130, 70, 3, 1, 1}, {1, 12, 96, 65, 3, 2, 1},    {1, 7, 65, 33, 1, 1, 0},
    {2, 16, 72, 36, 1, 1, 0}, {1, 16, 96, 8, 3, 1, 1},     {1, 5, 1, 3, 3, 1, 1},
    {1, 24, 66, 1, 3, 1, 1},  {1, 10, 160, 1280, 3, 1, 1},
};

TEST_P(CodedWeights, ConvolutionsAreThoseOfTheDecodedWeight) {
  for (const CodedConv& c : kConvs) {
    const ConvOptions options{c.stride, c.pad, c.pad, c.pad, c.pad};
    const std::int64_t size = (c.size + 2 * c.pad - c.kernel) / c.stride + 1;
    const Shape image{c.batch, c.size, c.size, c.in}, result{c.batch, size, size, c.out};
    for (const DType type : kCodes) {
      CodedWeight weight(type, {c.out, c.in, c.kernel, c.kernel});
      for (const DType dtype : kValues) {
        const std::string title = image.str() + " to " + result.str() + " " +
                                  std::string(dtype_name(type)) + " as " +
                                  std::string(dtype_name(dtype));
        const Tensor w = weight.decoded(*kernels, dtype);
        const Tensor x = hash_tensor(dtype, image, 1), d_out = hash_tensor(dtype, result, 2);
        const Tensor bias = hash_tensor(dtype, {c.out}, 3);
        Tensor y = hash_tensor(dtype, result, 4), y_codes = hash_tensor(dtype, result, 4);
        kernels->conv2d(x.view, w.view, bias.view, y.view, options, true);
        kernels->conv2d(x.view, weight.view, bias.view, y_codes.view, options, true);
        EXPECT_EQ(y_codes.bytes, y.bytes) << title;
        Tensor d_x(dtype, image), d_x_codes(dtype, image);
        kernels->conv2d_backward_data(d_out.view, w.view, d_x.view, options, false);
        kernels->conv2d_backward_data(d_out.view, weight.view, d_x_codes.view, options, false);
        EXPECT_EQ(d_x_codes.bytes, d_x.bytes) << title << ", backward";
      }
    }
  }
}

/// Every code decodes exactly, NaN and infinities too.
TEST_P(CodedWeights, EveryCodeHasItsValue) {
  for (const DType type : kCodes) {
    std::vector<std::uint8_t> codes(256);
    for (std::size_t i = 0; i < 256; ++i) {
      codes[i] = static_cast<std::uint8_t>(i);
    }
    std::vector<float> back(256), one{1.0F};
    kernels->dequantize(View(codes.data(), type, {1, 256}), View(one.data(), DType::f32, {1}),
                        View(back.data(), DType::f32, {1, 256}));
    for (std::size_t i = 0; i < 256; ++i) {
      float expected = 0;
      dispatch_codes(type, [&]<typename F>() {
        expected = static_cast<float>(*reinterpret_cast<const F*>(&codes[i]));
      });
      if (expected != expected) {
        EXPECT_NE(back[i], back[i]) << dtype_name(type) << " " << i;
      } else {
        EXPECT_EQ(std::memcmp(&back[i], &expected, sizeof(float)), 0)
            << dtype_name(type) << " " << i;
      }
    }
  }
}

TEST_P(CodedWeights, CodesWithoutScalesOrAsTf32AreRefused) {
  CodedWeight weight(DType::f8_e4m3, {16, 32});
  const Tensor a = hash_tensor(DType::f32, {4, 32}, 1);
  Tensor out(DType::f32, {4, 16});
  EXPECT_THROW(
      kernels->matmul(a.view, weight.view, {}, out.view, {.transpose_b = true, .tf32 = true}),
      KernelError);
  View bare = weight.view;
  bare.scale = nullptr;
  EXPECT_THROW(kernels->matmul(a.view, bare, {}, out.view, {.transpose_b = true}), KernelError);
}

MANTISSA_FOR_EACH_BACKEND(CodedWeights);

}  // namespace
}  // namespace mantissa::testing
