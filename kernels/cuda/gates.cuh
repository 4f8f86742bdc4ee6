#pragma once
// A gated linear unit and its gradients (Dauphin et al., arXiv 1612.08083; SwiGLU and GEGLU:
// Shazeer, arXiv 2002.05202), on registers. Kinds as in Kernels::glu.

#include <cmath>

#include "kernels/cuda/device.cuh"
#include "kernels/kernels.h"

namespace mantissa::cuda {

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

/// kind(gate)·value.
template <Unary kKind, typename S>
struct Gated {
  using T = accumulator_t<S>;
  __device__ T operator()(T gate, T value) const {
    if constexpr (kKind == Unary::gelu_erf) {
      return value * (gate * Normal<S>(gate).cdf);
    } else {
      const T s = sigmoid_for<S>(gate);
      return value * (kKind == Unary::silu ? gate * s : s);
    }
  }
};

/// The gradients of gate and value, from that of the result.
template <Unary kKind, typename S>
struct GatedGradients {
  using T = accumulator_t<S>;
  T gate, value;

  __device__ GatedGradients(T d, T g, T v) {
    if constexpr (kKind == Unary::gelu_erf) {
      const Normal<S> normal(g);
      value = d * g * normal.cdf;
      gate = d * v * std::fma(g, normal.density, normal.cdf);
    } else {
      // 1 - sigmoid is not formed, so large gates keep their precision; e^80 stays finite.
      const T e = exponential<S>(g < T(-80) ? T(80) : -g);
      const T s = reciprocal<S>(T(1) + e);
      value = d * (kKind == Unary::silu ? g * s : s);
      gate = d * v * (kKind == Unary::silu ? std::fma(g, e * s * s, s) : e * s * s);
    }
  }
};

/// The gradients of a pack, rounded.
template <typename S, int N>
struct GradientPacks {
  Pack<S, N> gate, value;
};
template <Unary kKind, int N, typename S>
__device__ inline GradientPacks<S, N> gradients_of(const Pack<S, N>& d, const Pack<S, N>& gate,
                                                   const Pack<S, N>& value) {
  GradientPacks<S, N> to;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const GatedGradients<kKind, S> g(load(&d.value[k]), load(&gate.value[k]),
                                     load(&value.value[k]));
    to.value.value[k] = rounded<S>(g.value);
    to.gate.value[k] = rounded<S>(g.gate);
  }
  return to;
}

}  // namespace mantissa::cuda
