#pragma once
// A gated linear unit and its gradients (Dauphin et al., arXiv 1612.08083; SwiGLU and GEGLU:
// Shazeer, arXiv 2002.05202), on registers. Kinds as in Kernels::glu.

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

/// kind(gate)·value.
template <Unary kKind, typename T>
MANTISSA_INLINE Vec<T> gated(Vec<T> gate, Vec<T> value) {
  if constexpr (kKind == Unary::silu) {
    return value * (gate * sigmoid(gate));
  } else if constexpr (kKind == Unary::gelu_erf) {
    return value * (gate * normal_cdf(gate).cdf);
  } else {
    static_assert(kKind == Unary::sigmoid);
    return value * sigmoid(gate);
  }
}

template <typename T>
struct GatedGradients {
  Vec<T> gate, value;
};

/// Gradients of the gate and of the value, from that of the result.
template <Unary kKind, typename T>
MANTISSA_INLINE GatedGradients<T> gated_gradients(Vec<T> d, Vec<T> gate, Vec<T> value) {
  if constexpr (kKind == Unary::gelu_erf) {
    const NormalCdf<T> normal = normal_cdf(gate);
    return {d * value * fma(gate, normal.density, normal.cdf), d * gate * normal.cdf};
  } else {
    const Sigmoid<T> s = sigmoid_slope(gate);
    if constexpr (kKind == Unary::silu) {
      return {d * value * fma(gate, s.slope, s.value), d * (gate * s.value)};
    } else {
      static_assert(kKind == Unary::sigmoid);
      return {d * value * s.slope, d * s.value};
    }
  }
}

/// n results of a unit.
template <Unary kKind, typename S>
MANTISSA_INLINE void unit_values(std::int64_t n, const S* gate, const S* value, S* out) {
  using V = Vec<accumulator_t<S>>;
  map_elements(
      n, out, [](V g, V v) { return gated<kKind>(g, v); }, gate, value);
}

/// n gradients each of gates and values.
template <Unary kKind, typename S>
MANTISSA_INLINE void unit_gradients(std::int64_t n, const S* d_out, const S* gate, const S* value,
                                    S* d_gate, S* d_value) {
  using T = accumulator_t<S>;
  constexpr std::int64_t kLanes = Vec<T>::kLanes;
  for (std::int64_t i = 0; i < n; i += kLanes) {
    const int some = static_cast<int>(std::min(kLanes, n - i));
    const Vec<T> d = load_some(d_out + i, some), v = load_some(value + i, some);
    const GatedGradients<T> to = gated_gradients<kKind>(d, load_some(gate + i, some), v);
    store_some(d_value + i, to.value, some);
    store_some(d_gate + i, to.gate, some);
  }
}

template <typename S>
S* row_of(const View& view, std::int64_t row) {
  return view.as<S>() + row * view.row_stride;
}

}  // namespace mantissa::MANTISSA_ISA
