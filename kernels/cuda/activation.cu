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

/// The cumulative distribution and the density at x together, for results of type S.
template <typename S>
struct Normal {
  using T = accumulator_t<S>;
  T cdf, density;

  __device__ explicit Normal(T x) {
    if constexpr (std::is_same_v<T, double>) {
      cdf = normal_cdf(x);
      density = normal_density(x);
    } else {
      // Φ(-z) = e^(-z²/2)·t·P(t) with t = 1/(1 + z/√8) and a minimax fit P: one exponential and one
      // reciprocal, where erfc and exp take two and a division.
      const T z = std::fabs(x);
      const T e = exponential<S>(T(-0.5) * z * z);
      const T t = reciprocal<S>(std::fma(z, T(0.35355339059327376), T(1)));
      const T tail = e * (t * tail_factor(t));
      cdf = x < T(0) ? tail : T(1) - tail;
      density = e * T(0.3989422804014327);
    }
  }

 private:
  template <int n>
  static __device__ T polynomial(const T (&from_highest)[n], T t) {
    T p = from_highest[0];
#pragma unroll
    for (int i = 1; i < n; ++i) {
      p = std::fma(p, t, from_highest[i]);
    }
    return p;
  }
  static __device__ T tail_factor(T t) {
    if constexpr (kRough<S>) {  // within 1.7e-6 of erfc, relative
      constexpr T kP[] = {T(0.04323931834), T(-0.17534798384), T(0.19041264057), T(0.02189182676),
                          T(0.13965944946), T(0.13899254799),  T(0.14115135372)};
      return polynomial(kP, t);
    } else {  // the CPU's, within fp32's rounding
      constexpr T kP[] = {T(0.03380262234),  T(-0.18006732213), T(0.35482768022), T(-0.25285537110),
                          T(-0.05382544104), T(0.05343667008),  T(0.04818287486), T(0.18719258348),
                          T(0.24494709915),  T(0.28227066428),  T(0.28208794217)};
      return T(0.5) * polynomial(kP, t);
    }
  }
};

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

template <typename S>
struct Geglu {
  using T = accumulator_t<S>;
  __device__ T operator()(T value, T gate) const { return value * (gate * Normal<S>(gate).cdf); }
};

/// in [rows, 2c] = [value | gate], d_in likewise; one thread per pack of both halves.
template <int kWidth, typename Index, typename S>
__global__ void __launch_bounds__(kThreads, sizeof(S) == 2 ? 6 : 1)
    geglu_backward_kernel(Extent extent, Rows<const S> d_out, Rows<const S> in, Rows<S> d_in) {
  using T = accumulator_t<S>;
  const auto rows = static_cast<Index>(extent.rows);
  for (PackWalk<Index> at(extent.cols / kWidth); at.row < rows; at.next()) {
    const std::int64_t col = static_cast<std::int64_t>(at.pack) * kWidth;
    const S* values = in.at(at.row, col);
    S* d_values = d_in.at(at.row, col);
    const auto value = load_pack<kWidth>(values), gate = load_pack<kWidth>(values + extent.cols);
    const auto d = load_pack<kWidth>(d_out.at(at.row, col));
    Pack<S, kWidth> d_value, d_gate;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const T g = load(&gate.value[k]), v = load(&value.value[k]), u = load(&d.value[k]);
      const Normal<S> normal(g);
      d_value.value[k] = rounded<S>(u * g * normal.cdf);
      d_gate.value[k] = rounded<S>(u * v * std::fma(g, normal.density, normal.cdf));
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
    map_rows(stream(), {out.rows(), out.cols()}, Geglu<S>{}, rows_of<S>(out), value, gate);
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
    const auto with = [&]<int kWidth, typename Index>() {
      launch<geglu_backward_kernel<kWidth, Index, S>>(
          stream(), grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks), extent, d,
          x, d_x);
    };
    constexpr int kWide = kPack<S>;
    if (extent.cols % kWide == 0 && takes_packs(d, kWide) && takes_packs(x, kWide) &&
        takes_packs(d_x, kWide) && std::max(extent.rows, extent.cols) < kNarrowWalk) {
      with.template operator()<kWide, std::uint32_t>();
    } else {
      with.template operator()<1, std::int64_t>();
    }
  });
}

}  // namespace mantissa::cuda
