#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

// Views that kernels must refuse, and values they must not hide.

namespace mantissa::testing {
namespace {

class KernelViews : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> k = GetParam().make();
};
MANTISSA_FOR_EACH_BACKEND(KernelViews);

TEST_P(KernelViews, BadViewsThrowBeforeAnythingIsWritten) {
  const Tensor x = hash_tensor(DType::f32, {2, 4, 4, 8}, 1);
  const Tensor half = hash_tensor(DType::f16, {2, 4, 4, 8}, 1);
  const Tensor w = hash_tensor(DType::f32, {8, 8, 3, 3}, 2);
  const Tensor wrong = hash_tensor(DType::f32, {8, 7, 3, 3}, 2);
  const Tensor c = hash_tensor(DType::f32, {8}, 3), c7 = hash_tensor(DType::f32, {7}, 3);
  const Tensor tokens = hash_tensor(DType::f32, {2, 16, 8}, 4);
  Tensor out = hash_tensor(DType::f32, {2, 4, 4, 8}, 9);
  Tensor stats = hash_tensor(DType::f32, {2, 4, 2}, 9),
         lse = hash_tensor(DType::f32, {2, 2, 16}, 9);
  Tensor token_out = hash_tensor(DType::f32, {2, 16, 8}, 9),
         rows = hash_tensor(DType::f32, {2, 8}, 9);
  const std::vector<std::uint8_t> before = out.bytes, before_tokens = token_out.bytes,
                                  before_rows = rows.bytes;
  Tensor ids(DType::i32, {2});
  ids.view.as<std::int32_t>()[0] = 0;
  ids.view.as<std::int32_t>()[1] = 99;
  View overlapping = x.view;
  overlapping.row_stride = 4;
  const ConvOptions pad1{1, 1, 1, 1, 1};
  MatmulOptions o;
  EXPECT_THROW(k->add(x.view, half.view, out.view), KernelError);
  EXPECT_THROW(k->add(x.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->add(x.view, overlapping, out.view), KernelError);
  EXPECT_THROW(k->multiply(x.view, View(nullptr, DType::f32, x.view.shape), out.view), KernelError);
  EXPECT_THROW(k->scale(half.view, 2.0F, out.view), KernelError);
  EXPECT_THROW(k->copy(c.view, out.view), KernelError);
  EXPECT_THROW(k->copy(ids.view, View(out.view.data, DType::f32, {2})), KernelError);
  EXPECT_THROW(k->add_per_sample(x.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->unary(Unary::silu, half.view, out.view), KernelError);
  EXPECT_THROW(k->glu(Unary::tanh, x.view, x.view, out.view), KernelError);
  EXPECT_THROW(k->glu(Unary::silu, x.view, half.view, out.view), KernelError);
  EXPECT_THROW(k->glu_backward(Unary::silu, x.view, x.view, x.view, out.view, tokens.view),
               KernelError);
  EXPECT_THROW(k->dropout(x.view, 1.0F, {}, out.view), KernelError);
  EXPECT_THROW(k->matmul(x.view, c7.view, {}, out.view, o), KernelError);
  // Only 16-bit operands allow sums in another dtype: fp32, and without a bias.
  const View a2(out.view.data, DType::f32, {2, 4}), h2(half.view.data, DType::f16, {2, 4}),
      w2(out.view.data, DType::f64, {1, 4}), b2(c.view.data, DType::f16, {4}),
      square(half.view.data, DType::f16, {4, 4});
  EXPECT_THROW(k->matmul(a2, View(a2.data, DType::f32, {4, 4}), {}, h2, o), KernelError);
  EXPECT_THROW(k->matmul(h2, square, {}, View(half.view.data, DType::bf16, {2, 4}), o),
               KernelError);
  EXPECT_THROW(k->matmul(View(half.view.data, DType::f16, {1, 4}), square, {}, w2, o), KernelError);
  EXPECT_THROW(k->matmul(h2, square, b2, a2, o), KernelError);
  EXPECT_THROW(k->matmul(h2, View(half.view.data, DType::bf16, {4, 4}), {}, a2, o), KernelError);
  EXPECT_THROW(k->conv2d(x.view, wrong.view, {}, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d(x.view, w.view, c7.view, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d(x.view, w.view, {}, out.view, {2, 1, 1, 1, 1}, false), KernelError);
  EXPECT_THROW(k->conv2d_backward_data(x.view, wrong.view, out.view, pad1, false), KernelError);
  EXPECT_THROW(k->conv2d_backward_weight(x.view, half.view, w.view, pad1, false), KernelError);
  EXPECT_THROW(k->group_norm(x.view, c.view, c.view, out.view, stats.view, 3, 1e-5F, true),
               KernelError);
  EXPECT_THROW(k->group_norm(x.view, c7.view, c.view, out.view, stats.view, 4, 1e-5F, true),
               KernelError);
  EXPECT_THROW(k->layer_norm(x.view, c.view, c.view, out.view, stats.view, 1e-5F), KernelError);
  EXPECT_THROW(k->upsample_nearest(x.view, View(out.view.data, DType::f32, {2, 2, 2, 8})),
               KernelError);
  EXPECT_THROW(k->add_noise(x.view, x.view, c.view, c.view, out.view), KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, lse.view,
                            {3, 1.0F, false}),
               KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, stats.view,
                            {2, 1.0F, false}),
               KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, lse.view,
                            {2, 1.0F, false, 1}),
               KernelError);
  EXPECT_THROW(k->attention(tokens.view, tokens.view, tokens.view, {}, token_out.view, lse.view,
                            {2, 1.0F, false, 4}),
               KernelError);
  const Tensor angles = hash_tensor(DType::f32, {1, 16, 2}, 5);
  EXPECT_THROW(k->rope(tokens.view, angles.view, angles.view, token_out.view, {3}), KernelError);
  EXPECT_THROW(k->rope(tokens.view, angles.view, angles.view, token_out.view, {1}), KernelError);
  EXPECT_THROW(k->rope(tokens.view, angles.view, View(angles.view.data, DType::f32, {2, 16, 1}),
                       token_out.view, {2}),
               KernelError);
  EXPECT_THROW(k->rope(tokens.view, View(angles.view.data, DType::f16, {1, 16, 2}), angles.view,
                       token_out.view, {2}),
               KernelError);
  EXPECT_THROW(k->rope(x.view, angles.view, angles.view, out.view, {2}), KernelError);
  EXPECT_THROW(k->gather_tokens(tokens.view, ids.view, rows.view), KernelError);
  EXPECT_THROW(k->embedding(tokens.view, ids.view, rows.view), KernelError);
  EXPECT_THROW(k->fill(ids.view, 1.0F), KernelError);
  EXPECT_THROW(k->sum_of_squares(overlapping), KernelError);
  EXPECT_EQ(out.bytes, before);
  EXPECT_EQ(token_out.bytes, before_tokens);
  EXPECT_EQ(rows.bytes, before_rows);
  try {
    k->conv2d(x.view, wrong.view, {}, out.view, pad1, false);
  } catch (const KernelError& e) {
    EXPECT_STREQ(e.what(),
                 "[conv2d] weight [8, 7, 3, 3] expects 7 input channels; x is [2, 4, 4, 8]");
  }
}

TEST_P(KernelViews, CountsNonFinite) {
  for (DType d : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    Tensor x = hash_tensor(d, {100003}, 1);
    EXPECT_EQ(k->count_non_finite(x.view), 0);
    x.set(0, std::numeric_limits<double>::infinity());
    x.set(70000, -std::numeric_limits<double>::infinity());
    x.set(100002, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(k->count_non_finite(x.view), 3);
    EXPECT_TRUE(std::isnan(k->sum_of_squares(x.view)));
  }
}

}  // namespace
}  // namespace mantissa::testing
