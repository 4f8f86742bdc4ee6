#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

// Gated linear units (Dauphin et al., arXiv 1612.08083; SwiGLU: Shazeer, arXiv 2002.05202). GEGLU,
// whose halves are one tensor, is in activation.cpp.

namespace mantissa::MANTISSA_ISA {

namespace {

/// The gate's activation and its derivative.
template <Unary kKind, typename T>
MANTISSA_INLINE Sigmoid<T> open_gate(Vec<T> gate) {
  const Sigmoid<T> s = sigmoid_slope(gate);
  if constexpr (kKind == Unary::silu) {
    return {gate * s.value, fma(gate, s.slope, s.value)};
  } else {
    static_assert(kKind == Unary::sigmoid);
    return s;
  }
}

}  // namespace

void CpuKernels::glu(Unary kind, const View& gate, const View& value, const View& out) {
  check_glu(kind, gate, value, out);
  dispatch_float(gate.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    dispatch_gate(kind, [&]<Unary kKind>() {
      for_elements(
          pool_, {&gate, &value, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
            map_elements(
                n, out.as<S>() + r * out.row_stride + c,
                [](V g, V v) { return v * (kKind == Unary::silu ? g * sigmoid(g) : sigmoid(g)); },
                gate.as<S>() + r * gate.row_stride + c, value.as<S>() + r * value.row_stride + c);
          });
    });
  });
}

void CpuKernels::glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                              const View& d_gate, const View& d_value) {
  check_glu_backward(kind, d_out, gate, value, d_gate, d_value);
  dispatch_float(gate.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    dispatch_gate(kind, [&]<Unary kKind>() {
      const auto each = [&](std::int64_t r, std::int64_t first, std::int64_t count) {
        const auto at = [&](const View& view, std::int64_t c) {
          return view.as<S>() + r * view.row_stride + c;
        };
        for (std::int64_t c = first; c < first + count; c += V::kLanes) {
          const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, first + count - c));
          const V d = load_some(at(d_out, c), n), v = load_some(at(value, c), n);
          const Sigmoid<T> open = open_gate<kKind>(load_some(at(gate, c), n));
          store_some(at(d_value, c), d * open.value, n);
          store_some(at(d_gate, c), d * v * open.slope, n);
        }
      };
      for_elements(pool_, {&gate, &value, &d_out, &d_gate, &d_value}, each);
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
