#include <algorithm>
#include <cmath>

#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/op_checks.h"

// Gated linear units (Dauphin et al., arXiv 1612.08083; SwiGLU: Shazeer, arXiv 2002.05202). GEGLU,
// whose halves are one tensor, is in activation.cu.

namespace mantissa::cuda {

namespace {

/// The gate's activation and its derivative, for results of type S.
template <Unary kKind, typename S>
struct OpenGate {
  using T = accumulator_t<S>;
  T value, slope;

  __device__ explicit OpenGate(T gate) {
    // 1 - sigmoid is not formed, so large gates keep their precision; e^80 stays finite.
    const T e = exponential<S>(gate < T(-80) ? T(80) : -gate);
    const T s = reciprocal<S>(T(1) + e);
    value = kKind == Unary::silu ? gate * s : s;
    slope = kKind == Unary::silu ? std::fma(gate, e * s * s, s) : e * s * s;
  }
};

template <Unary kKind, typename S>
struct Glu {
  using T = accumulator_t<S>;
  __device__ T operator()(T gate, T value) const {
    const T s = sigmoid_for<S>(gate);
    return value * (kKind == Unary::silu ? gate * s : s);
  }
};

/// One thread per pack of gate and value.
template <Unary kKind, int kWidth, typename Index, typename S>
__global__ void __launch_bounds__(kThreads, sizeof(S) == 2 ? 6 : 1)
    glu_backward_kernel(Extent extent, Rows<const S> d_out, Rows<const S> gate, Rows<const S> value,
                        Rows<S> d_gate, Rows<S> d_value) {
  using T = accumulator_t<S>;
  const auto rows = static_cast<Index>(extent.rows);
  for (PackWalk<Index> at(extent.cols / kWidth); at.row < rows; at.next()) {
    const std::int64_t col = static_cast<std::int64_t>(at.pack) * kWidth;
    const auto d = load_pack<kWidth>(d_out.at(at.row, col));
    const auto g = load_pack<kWidth>(gate.at(at.row, col));
    const auto v = load_pack<kWidth>(value.at(at.row, col));
    Pack<S, kWidth> to_gate, to_value;
#pragma unroll
    for (int k = 0; k < kWidth; ++k) {
      const T u = load(&d.value[k]);
      const OpenGate<kKind, S> open(load(&g.value[k]));
      to_value.value[k] = rounded<S>(u * open.value);
      to_gate.value[k] = rounded<S>(u * load(&v.value[k]) * open.slope);
    }
    store_pack<kWidth>(d_value.at(at.row, col), to_value);
    store_pack<kWidth>(d_gate.at(at.row, col), to_gate);
  }
}

}  // namespace

void CudaKernels::glu(Unary kind, const View& gate, const View& value, const View& out) {
  check_glu(kind, gate, value, out);
  dispatch_float(gate.dtype, [&]<typename S>() {
    dispatch_gate(kind, [&]<Unary kKind>() {
      map_rows(stream(), extent_of(gate, {&gate, &value, &out}), Glu<kKind, S>{}, rows_of<S>(out),
               rows_of<const S>(gate), rows_of<const S>(value));
    });
  });
}

void CudaKernels::glu_backward(Unary kind, const View& d_out, const View& gate, const View& value,
                               const View& d_gate, const View& d_value) {
  check_glu_backward(kind, d_out, gate, value, d_gate, d_value);
  if (gate.count() == 0) {
    return;
  }
  const Extent extent = extent_of(gate, {&gate, &value, &d_out, &d_gate, &d_value});
  dispatch_float(gate.dtype, [&]<typename S>() {
    const auto d = rows_of<const S>(d_out), g = rows_of<const S>(gate);
    const auto v = rows_of<const S>(value);
    const auto to_gate = rows_of<S>(d_gate), to_value = rows_of<S>(d_value);
    constexpr int kWide = kPack<S>;
    const bool packs = extent.cols % kWide == 0 && takes_packs(d, kWide) && takes_packs(g, kWide) &&
                       takes_packs(v, kWide) && takes_packs(to_gate, kWide) &&
                       takes_packs(to_value, kWide) &&
                       std::max(extent.rows, extent.cols) < kNarrowWalk;
    dispatch_gate(kind, [&]<Unary kKind>() {
      const auto with = [&]<int kWidth, typename Index>() {
        launch<glu_backward_kernel<kKind, kWidth, Index, S>>(
            stream(), grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks), extent, d,
            g, v, to_gate, to_value);
      };
      if (packs) {
        with.template operator()<kWide, std::uint32_t>();
      } else {
        with.template operator()<1, std::int64_t>();
      }
    });
  });
}

}  // namespace mantissa::cuda
