#include <limits>

#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

// Forward and backward of the activations; formulas of Hendrycks & Gimpel (arXiv 1606.08415) for
// GELU and its approximations.

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr double kGeluTanhScale = 0.79788456080286535588;  // √(2/π)
constexpr double kGeluTanhCubic = 0.044715;
constexpr double kGeluQuick = 1.702;

// A minimum or maximum with NaN is its second operand: x is there, so NaN stays NaN.

template <typename T>
MANTISSA_INLINE Vec<T> log_variance(Vec<T> x) {
  using V = Vec<T>;
  const V least(static_cast<T>(kLeastLogVariance)), most(static_cast<T>(kMostLogVariance));
  return vmin(most, vmax(least, x));
}

/// -1, 0 or 1: scaled beyond 1, every normal number but 0 is clamped to it.
template <typename T>
MANTISSA_INLINE Vec<T> sign(Vec<T> x) {
  using V = Vec<T>;
  const V large(std::numeric_limits<T>::max());
  return vmin(V(T(1)), vmax(V(T(-1)), x * large));
}

template <Unary kKind, typename T>
MANTISSA_INLINE Vec<T> activate(Vec<T> x) {
  using V = Vec<T>;
  if constexpr (kKind == Unary::silu) {
    return x * sigmoid(x);
  } else if constexpr (kKind == Unary::gelu_erf) {
    return x * normal_cdf(x).cdf;
  } else if constexpr (kKind == Unary::gelu_quick) {
    return x * sigmoid(x * V(static_cast<T>(kGeluQuick)));
  } else if constexpr (kKind == Unary::sigmoid) {
    return sigmoid(x);
  } else if constexpr (kKind == Unary::tanh) {
    return vtanh(x);
  } else if constexpr (kKind == Unary::absolute) {
    return vmax(V(T(0)) - x, x);
  } else if constexpr (kKind == Unary::exponential) {
    return vexp(x);
  } else if constexpr (kKind == Unary::log_variance) {
    return log_variance(x);
  } else {
    static_assert(kKind == Unary::gelu_tanh);
    // ½(1 + tanh u) = sigmoid(2u)
    const V u = x * V(static_cast<T>(kGeluTanhScale)) *
                fma(x * x, V(static_cast<T>(kGeluTanhCubic)), V(T(1)));
    return x * sigmoid(u + u);
  }
}

template <Unary kKind, typename T>
MANTISSA_INLINE Vec<T> derivative(Vec<T> x) {
  using V = Vec<T>;
  const V one(T(1));
  if constexpr (kKind == Unary::gelu_erf) {
    const NormalCdf<T> normal = normal_cdf(x);
    return fma(x, normal.density, normal.cdf);
  } else if constexpr (kKind == Unary::gelu_tanh) {
    const V scale(static_cast<T>(2 * kGeluTanhScale));
    const V square = x * x;
    const Sigmoid<T> s =
        sigmoid_slope(x * scale * fma(square, V(static_cast<T>(kGeluTanhCubic)), one));
    return fma(x * s.slope, scale * fma(square, V(static_cast<T>(3 * kGeluTanhCubic)), one),
               s.value);
  } else if constexpr (kKind == Unary::sigmoid) {
    return sigmoid_slope(x).slope;
  } else if constexpr (kKind == Unary::tanh) {
    return V(T(4)) * sigmoid_slope(x + x).slope;  // tanh x = 2·sigmoid(2x) - 1
  } else if constexpr (kKind == Unary::absolute) {
    return sign(x);
  } else if constexpr (kKind == Unary::exponential) {
    return vexp(x);
  } else if constexpr (kKind == Unary::log_variance) {
    const V beyond = sign(x - log_variance(x));
    return one - beyond * beyond;
  } else {
    static_assert(kKind == Unary::silu || kKind == Unary::gelu_quick);
    const V k(static_cast<T>(kKind == Unary::silu ? 1.0 : kGeluQuick));
    const Sigmoid<T> s = sigmoid_slope(k * x);
    return fma(k * x, s.slope, s.value);
  }
}

}  // namespace

void CpuKernels::unary(Unary kind, const View& in, const View& out) {
  check_float(in, "unary", "in");
  check_like(out, in, "unary", "out");
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    dispatch_unary(kind, [&]<Unary kKind>() {
      for_elements(pool_, {&in, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
        map_elements(
            n, out.as<S>() + r * out.row_stride + c, [](Vec<T> x) { return activate<kKind>(x); },
            in.as<S>() + r * in.row_stride + c);
      });
    });
  });
}

void CpuKernels::unary_backward(Unary kind, const View& d_out, const View& in, const View& d_in) {
  check_float(in, "unary_backward", "in");
  check_like(d_out, in, "unary_backward", "d_out");
  check_like(d_in, in, "unary_backward", "d_in");
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    dispatch_unary(kind, [&]<Unary kKind>() {
      for_elements(
          pool_, {&in, &d_out, &d_in}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
            map_elements(
                n, d_in.as<S>() + r * d_in.row_stride + c,
                [](Vec<T> d, Vec<T> x) { return d * derivative<kKind>(x); },
                d_out.as<S>() + r * d_out.row_stride + c, in.as<S>() + r * in.row_stride + c);
          });
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
