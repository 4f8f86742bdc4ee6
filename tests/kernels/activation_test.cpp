#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"
#include "tests/kernels/side_by_side.h"

// Precision that the golden cases, compared with each tensor's largest value, can't show.

namespace mantissa::testing {
namespace {

class Activations : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels = GetParam().make();
};
MANTISSA_FOR_EACH_BACKEND(Activations);

/// ±10^-9 to ±20, and their neighbourhood of tanh's change of formula.
Tensor of_all_sizes() {
  std::vector<double> values{0.625, 0.62499994, 0.62500006, 1.0, 0.5};
  for (double size = 1e-9; size < 20; size *= 1.13) {
    values.push_back(size);
  }
  Tensor x(DType::f32, {2 * static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) {
    x.set(static_cast<std::int64_t>(2 * i), values[i]);
    x.set(static_cast<std::int64_t>(2 * i + 1), -values[i]);
  }
  return x;
}

TEST_P(Activations, TanhAndSigmoidKeepTheirRelativePrecision) {
  const Tensor x = of_all_sizes();
  Tensor ones(DType::f32, x.view.shape), y(DType::f32, x.view.shape);
  kernels->fill(ones.view, 1.0F);
  const auto expect = [&](const char* what, double ulps, double (*exact)(double)) {
    for (std::int64_t i = 0; i < x.view.count(); ++i) {
      const double expected = exact(x.get(i));
      EXPECT_NEAR(y.get(i), expected, ulps * 0x1p-24 * std::fabs(expected)) << what << x.get(i);
    }
  };
  kernels->unary(Unary::tanh, x.view, y.view);
  expect("tanh of ", 6, [](double v) { return std::tanh(v); });
  kernels->unary(Unary::sigmoid, x.view, y.view);
  expect("sigmoid of ", 12, [](double v) { return 1 / (1 + std::exp(-v)); });
  kernels->unary_backward(Unary::tanh, ones.view, x.view, y.view);
  expect("tanh's slope at ", 24, [](double v) { return 1 / (std::cosh(v) * std::cosh(v)); });
  kernels->unary_backward(Unary::sigmoid, ones.view, x.view, y.view);
  expect("sigmoid's slope at ", 24,
         [](double v) { return 1 / ((1 + std::exp(-v)) * (1 + std::exp(v))); });
}

TEST_P(Activations, GatesAreTheCpus) {
  for (const DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{2, 5, 64}, Shape{0, 8}, Shape{9, 33},
                               Shape{2, 2099}, Shape{1000, 24}}) {
      for (const std::int64_t gap : {0, 3, 8}) {
        for (const Unary kind : {Unary::silu, Unary::gelu_erf, Unary::sigmoid}) {
          SideBySide both(GetParam());
          const Pair& gate = both.random(type, shape, 1, {gap, 12});
          const Pair& value = both.random(type, shape, 2, {gap});
          const Pair& d_out = both.random(type, shape, 3, {gap});
          const Pair& out = both.poisoned(type, shape, gap);
          const Pair& d_gate = both.poisoned(type, shape, gap);
          const Pair& d_value = both.poisoned(type, shape, gap);
          both.run([&](Kernels& k, const auto& at) {
            k.glu(kind, at(gate), at(value), at(out));
            k.glu_backward(kind, at(d_out), at(gate), at(value), at(d_gate), at(d_value));
          });
          const double ulps = 8 * std::ldexp(1.0, -float_format(type).mantissa_bits);
          both.expect_near(out, ulps, "glu");
          both.expect_near(d_gate, ulps, "d_gate");
          both.expect_near(d_value, ulps, "d_value");
        }
      }
    }
  }
}

TEST_P(Activations, GatesInPlaceAndOnHalves) {
  for (const DType type : {DType::f32, DType::bf16}) {
    for (const std::int64_t width : {5, 64}) {
      const auto half = [&](const Tensor& t, std::int64_t which) {
        View v(t.view.as<char>() + static_cast<std::size_t>(which * width) * dtype_size(type), type,
               {6, width});
        v.row_stride = 2 * width;
        return v;
      };
      const Tensor both = hash_tensor(type, {6, 2 * width}, 1, 4.0F);
      const Tensor d_out = hash_tensor(type, {6, width}, 2);
      Tensor d_both(type, both.view.shape), out(type, {6, width});
      kernels->glu(Unary::silu, half(both, 0), half(both, 1), out.view);
      kernels->glu_backward(Unary::silu, d_out.view, half(both, 0), half(both, 1), half(d_both, 0),
                            half(d_both, 1));
      kernels->glu_backward(Unary::silu, d_out.view, half(both, 0), half(both, 1), half(both, 0),
                            half(both, 1));
      EXPECT_EQ(both.bytes, d_both.bytes) << dtype_name(type) << " " << width;
      Tensor gate = hash_tensor(type, {6, width}, 3), kept = hash_tensor(type, {6, width}, 3);
      kernels->glu(Unary::sigmoid, kept.view, d_out.view, out.view);
      kernels->glu(Unary::sigmoid, gate.view, d_out.view, gate.view);
      EXPECT_EQ(gate.bytes, out.bytes) << dtype_name(type) << " " << width;
    }
  }
}

TEST_P(Activations, GatesOfLargeValues) {
  Tensor gate(DType::f32, {6}), ones(DType::f32, {6});
  const float values[] = {1e4F, -1e4F, 100, -100, 88, -88};
  kernels->upload(values, gate.view);
  kernels->fill(ones.view, 1.0F);
  Tensor out(DType::f32, {6}), d_gate(DType::f32, {6}), d_value(DType::f32, {6});
  kernels->glu(Unary::silu, gate.view, ones.view, out.view);
  kernels->glu_backward(Unary::silu, ones.view, gate.view, ones.view, d_gate.view, d_value.view);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(out.get(i), std::max(0.0F, values[i]), 1e-30) << values[i];
    EXPECT_NEAR(d_value.get(i), std::max(0.0F, values[i]), 1e-29) << values[i];
    EXPECT_NEAR(d_gate.get(i), i % 2 == 0 ? 1 : 0, 1e-29) << values[i];
  }
}

}  // namespace
}  // namespace mantissa::testing
