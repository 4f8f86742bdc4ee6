#include <cmath>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/gates.cuh"
#include "kernels/op_checks.h"

// Forward and backward of the activations; formulas of Hendrycks & Gimpel (arXiv 1606.08415) for
// GELU and its approximations.

namespace mantissa::cuda {

namespace {

constexpr double kGeluTanhScale = 0.79788456080286535588;  // √(2/π)
constexpr double kGeluTanhCubic = 0.044715;
constexpr double kGeluQuick = 1.702;

/// sigmoid(x) and its derivative; 1 - sigmoid is not formed, so large x keep their precision.
template <typename T>
struct Sigmoid {
  T value, slope;
};
template <typename T>
__device__ Sigmoid<T> sigmoid_slope(T x) {
  const T e = std::exp(x < T(-80) ? T(80) : -x);
  const T s = T(1) / (T(1) + e);
  return {s, e * s * s};
}

/// Comparisons with NaN are false: NaN propagates.
template <typename T>
__device__ T log_variance(T x) {
  return x < T(kLeastLogVariance)  ? T(kLeastLogVariance)
         : x > T(kMostLogVariance) ? T(kMostLogVariance)
                                   : x;
}

template <Unary kKind>
struct Activate {
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (kKind == Unary::silu) {
      return x * sigmoid(x);
    } else if constexpr (kKind == Unary::gelu_erf) {
      return x * normal_cdf(x);
    } else if constexpr (kKind == Unary::gelu_quick) {
      return x * sigmoid(x * T(kGeluQuick));
    } else if constexpr (kKind == Unary::sigmoid) {
      return sigmoid(x);
    } else if constexpr (kKind == Unary::tanh) {
      return std::tanh(x);
    } else if constexpr (kKind == Unary::absolute) {
      return std::fabs(x);
    } else if constexpr (kKind == Unary::exponential) {
      return std::exp(x);
    } else if constexpr (kKind == Unary::log_variance) {
      return log_variance(x);
    } else {
      static_assert(kKind == Unary::gelu_tanh);
      // ½(1 + tanh u) = sigmoid(2u)
      const T u = x * T(kGeluTanhScale) * std::fma(x * x, T(kGeluTanhCubic), T(1));
      return x * sigmoid(u + u);
    }
  }
};

template <Unary kKind>
struct Derivative {
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (kKind == Unary::gelu_erf) {
      return std::fma(x, normal_density(x), normal_cdf(x));
    } else if constexpr (kKind == Unary::gelu_tanh) {
      const T scale = T(2 * kGeluTanhScale), square = x * x;
      const Sigmoid<T> s = sigmoid_slope(x * scale * std::fma(square, T(kGeluTanhCubic), T(1)));
      return std::fma(x * s.slope, scale * std::fma(square, T(3 * kGeluTanhCubic), T(1)), s.value);
    } else if constexpr (kKind == Unary::sigmoid) {
      return sigmoid_slope(x).slope;
    } else if constexpr (kKind == Unary::tanh) {
      return T(4) * sigmoid_slope(x + x).slope;  // tanh x = 2·sigmoid(2x) - 1
    } else if constexpr (kKind == Unary::absolute) {
      return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
    } else if constexpr (kKind == Unary::exponential) {
      return std::exp(x);
    } else if constexpr (kKind == Unary::log_variance) {
      const T inside = x == x ? T(1) : x;  // NaN propagates
      return x < T(kLeastLogVariance) || x > T(kMostLogVariance) ? T(0) : inside;
    } else {
      static_assert(kKind == Unary::silu || kKind == Unary::gelu_quick);
      const T k = T(kKind == Unary::silu ? 1.0 : kGeluQuick);
      const Sigmoid<T> s = sigmoid_slope(k * x);
      return std::fma(k * x, s.slope, s.value);
    }
  }
  template <typename T>
  __device__ T operator()(T d, T x) const {
    return d * (*this)(x);
  }
};

}  // namespace

void CudaKernels::unary(Unary kind, const View& in, const View& out) {
  check_float(in, "unary", "in");
  check_like(out, in, "unary", "out");
  dispatch_float(in.dtype, [&]<typename S>() {
    dispatch_unary(kind, [&]<Unary kKind>() {
      map_rows(stream(), extent_of(in, {&in, &out}), Activate<kKind>{}, rows_of<S>(out),
               rows_of<const S>(in));
    });
  });
}

void CudaKernels::unary_backward(Unary kind, const View& d_out, const View& in, const View& d_in) {
  check_float(in, "unary_backward", "in");
  check_like(d_out, in, "unary_backward", "d_out");
  check_like(d_in, in, "unary_backward", "d_in");
  dispatch_float(in.dtype, [&]<typename S>() {
    dispatch_unary(kind, [&]<Unary kKind>() {
      map_rows(stream(), extent_of(in, {&in, &d_out, &d_in}), Derivative<kKind>{}, rows_of<S>(d_in),
               rows_of<const S>(d_out), rows_of<const S>(in));
    });
  });
}

}  // namespace mantissa::cuda
