#include <cmath>
#include <gtest/gtest.h>

#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

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

}  // namespace
}  // namespace mantissa::testing
