#include <cmath>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

// Forward and backward of the activations; formulas of Hendrycks & Gimpel (arXiv 1606.08415) for
// GELU and its approximations, Shazeer (arXiv 2002.05202) for GEGLU.

namespace mantissa::cuda {

namespace {

constexpr double kGeluTanhScale = 0.79788456080286535588;  // √(2/π)
constexpr double kGeluTanhCubic = 0.044715;
constexpr double kGeluQuick = 1.702;

/// Φ(x) of the standard normal, and its density; both tails keep their relative precision.
template <typename T>
__device__ T normal_cdf(T x) {
  return T(0.5) * std::erfc(x * T(-0.70710678118654752440));
}
template <typename T>
__device__ T normal_density(T x) {
  return T(0.39894228040143267794) * std::exp(T(-0.5) * x * x);
}

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
    } else if constexpr (kKind == Unary::absolute) {
      return std::fabs(x);
    } else if constexpr (kKind == Unary::exponential) {
      return std::exp(x);
    } else if constexpr (kKind == Unary::log_variance) {
      return log_variance(x);
    } else {
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
    } else if constexpr (kKind == Unary::absolute) {
      return x > T(0) ? T(1) : x < T(0) ? T(-1) : x;
    } else if constexpr (kKind == Unary::exponential) {
      return std::exp(x);
    } else if constexpr (kKind == Unary::log_variance) {
      const T inside = x == x ? T(1) : x;  // NaN propagates
      return x < T(kLeastLogVariance) || x > T(kMostLogVariance) ? T(0) : inside;
    } else {
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

template <typename F>
void dispatch_unary(Unary kind, F&& f) {
  switch (kind) {
    case Unary::silu:
      return f.template operator()<Unary::silu>();
    case Unary::gelu_erf:
      return f.template operator()<Unary::gelu_erf>();
    case Unary::gelu_tanh:
      return f.template operator()<Unary::gelu_tanh>();
    case Unary::gelu_quick:
      return f.template operator()<Unary::gelu_quick>();
    case Unary::absolute:
      return f.template operator()<Unary::absolute>();
    case Unary::exponential:
      return f.template operator()<Unary::exponential>();
    case Unary::log_variance:
      return f.template operator()<Unary::log_variance>();
  }
}

struct Geglu {
  template <typename T>
  __device__ T operator()(T value, T gate) const {
    return value * Activate<Unary::gelu_erf>()(gate);
  }
};

/// in [rows, 2c] = [value | gate], d_in likewise; one thread per pack of both halves.
template <int kWidth, typename S>
__global__ void __launch_bounds__(kThreads)
    geglu_backward_kernel(Extent extent, Rows<const S> d_out, Rows<const S> in, Rows<S> d_in) {
  using T = accumulator_t<S>;
  const std::int64_t packs = extent.cols / kWidth;
  for (std::int64_t i = global_thread(); i < extent.rows * packs; i += global_threads()) {
    const std::int64_t row = i / packs, col = (i - row * packs) * kWidth;
    const S* values = in.data + row * in.stride + col;
    S* d_values = d_in.data + row * d_in.stride + col;
    const auto value = load_pack<kWidth>(values), gate = load_pack<kWidth>(values + extent.cols);
    const auto d = load_pack<kWidth>(d_out.data + row * d_out.stride + col);
    Pack<S, kWidth> d_value, d_gate;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const T g = load(&gate.value[k]), v = load(&value.value[k]), u = load(&d.value[k]);
      const T cdf = normal_cdf(g);
      d_value.value[k] = rounded<S>(u * g * cdf);
      d_gate.value[k] = rounded<S>(u * v * std::fma(g, normal_density(g), cdf));
    }
    store_pack<kWidth>(d_values, d_value);
    store_pack<kWidth>(d_values + extent.cols, d_gate);
  }
}

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

void CudaKernels::geglu(const View& in, const View& out) {
  check_geglu(in, out, "geglu", "in", "out");
  if (out.count() == 0) {
    return;
  }
  dispatch_float(in.dtype, [&]<typename S>() {
    const Rows<const S> value = rows_of<const S>(in);
    const Rows<const S> gate{value.data + out.cols(), value.stride};
    map_rows(stream(), {out.rows(), out.cols()}, Geglu{}, rows_of<S>(out), value, gate);
  });
}

void CudaKernels::geglu_backward(const View& d_out, const View& in, const View& d_in) {
  check_geglu(in, d_out, "geglu_backward", "in", "d_out");
  check_like(d_in, in, "geglu_backward", "d_in");
  if (d_out.count() == 0) {
    return;
  }
  const Extent extent{d_out.rows(), d_out.cols()};
  dispatch_float(in.dtype, [&]<typename S>() {
    const auto d = rows_of<const S>(d_out), x = rows_of<const S>(in);
    const auto d_x = rows_of<S>(d_in);
    const auto with = [&]<int kWidth>() {
      launch(stream(), grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks),
             geglu_backward_kernel<kWidth, S>, extent, d, x, d_x);
    };
    if (extent.cols % kPack<S> == 0 && takes_packs(d, kPack<S>) && takes_packs(x, kPack<S>) &&
        takes_packs(d_x, kPack<S>)) {
      with.template operator()<kPack<S>>();
    } else {
      with.template operator()<1>();
    }
  });
}

}  // namespace mantissa::cuda
