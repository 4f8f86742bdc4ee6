#include <algorithm>
#include <cmath>

#include "kernels/check_glu.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/gates.cuh"

// Gated linear units; with codes for their results: glu_codes.cu.

namespace mantissa::cuda {

namespace {

/// Blocks of kThreads on a multiprocessor: as many as registers allow, and threads where they are
/// few.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int kMostBlocks = 4;
#else
constexpr int kMostBlocks = 6;
#endif

/// Rows of gates and of values. In whole packs they have one stride, and the second address is near
/// the first: the registers that this saves are those that would be spilled.
template <typename T, int kWidth>
struct GateAndValue {
  Rows<T> gate;
  std::int64_t to_value;
  GateAndValue(const Rows<T>& gate, const Rows<T>& value)
      : gate(gate), to_value(value.data - gate.data) {}
  __device__ T* gate_at(std::int64_t row, std::int64_t col) const { return gate.at(row, col); }
  __device__ T* value_at(std::int64_t row, std::int64_t col) const {
    return gate.at(row, col) + to_value;
  }
};
template <typename T>
struct GateAndValue<T, 1> {
  Rows<T> gate, value;
  __device__ T* gate_at(std::int64_t row, std::int64_t col) const { return gate.at(row, col); }
  __device__ T* value_at(std::int64_t row, std::int64_t col) const { return value.at(row, col); }
};

/// One thread per pack of gate and value.
template <Unary kKind, int kWidth, typename Index, typename S>
__global__ void __launch_bounds__(kThreads, sizeof(S) == 2 ? kMostBlocks : 1)
    glu_backward_kernel(Extent extent, Rows<const S> d_out, GateAndValue<const S, kWidth> in,
                        GateAndValue<S, kWidth> out) {
  const auto rows = static_cast<Index>(extent.rows);
  for (PackWalk<Index> at(extent.cols / kWidth); at.row < rows; at.next()) {
    const std::int64_t col = static_cast<std::int64_t>(at.pack) * kWidth;
    const auto to = gradients_of<kKind, kWidth>(load_pack<kWidth>(d_out.at(at.row, col)),
                                                load_pack<kWidth>(in.gate_at(at.row, col)),
                                                load_pack<kWidth>(in.value_at(at.row, col)));
    store_pack<kWidth>(out.value_at(at.row, col), to.value);
    store_pack<kWidth>(out.gate_at(at.row, col), to.gate);
  }
}

}  // namespace

void CudaKernels::glu(Unary kind, const View& gate, const View& value, const View& out) {
  check_glu(kind, gate, value, out);
  dispatch_float(gate.dtype, [&]<typename S>() {
    dispatch_gate(kind, [&]<Unary kKind>() {
      map_rows(stream(), extent_of(gate, {&gate, &value, &out}), Gated<kKind, S>{}, rows_of<S>(out),
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
                       takes_packs(to_value, kWide) && g.stride == v.stride &&
                       to_gate.stride == to_value.stride &&
                       std::max(extent.rows, extent.cols) < kNarrowWalk;
    dispatch_gate(kind, [&]<Unary kKind>() {
      const auto with = [&]<int kWidth, typename Index>() {
        launch<glu_backward_kernel<kKind, kWidth, Index, S>>(
            stream(), grid_for(extent.rows * extent.cols / kWidth, kThreads, kMaxBlocks), extent, d,
            GateAndValue<const S, kWidth>{g, v}, GateAndValue<S, kWidth>{to_gate, to_value});
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
