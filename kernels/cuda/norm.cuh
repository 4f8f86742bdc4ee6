#pragma once
// Loads and stores shared by the norm kernels.

#include "kernels/cuda/device.cuh"
#include "kernels/view.h"

namespace mantissa::cuda {

/// gamma or beta [cols], in S or in its statistics' type; `otherwise` if the view is absent.
template <typename S>
struct Parameter {
  using T = accumulator_t<S>;
  const void* data;
  bool wide;
  T otherwise;

  Parameter(const View& v, T absent)
      : data(v.data), wide(v.dtype == statistics_dtype(v.dtype)), otherwise(absent) {}
  __device__ T at(std::int64_t c) const {
    if (data == nullptr) {
      return otherwise;
    }
    return wide ? static_cast<const T*>(data)[c] : load(static_cast<const S*>(data) + c);
  }
  /// N neighbours, 16 bytes at a time unless N is 1: see parameter_in_packs.
  template <int N>
  __device__ void lanes(std::int64_t c, T (&to)[N]) const {
    if (data == nullptr) {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        to[i] = otherwise;
      }
    } else if (wide) {
      load_values<N>(static_cast<const T*>(data) + c, to);
    } else {
      load_lanes<N>(static_cast<const S*>(data) + c, to);
    }
  }
};

/// Whether Parameter::lanes can read a gamma or beta in packs.
inline bool parameter_in_packs(const View& v) {
  return reinterpret_cast<std::uintptr_t>(v.data) % 16 == 0;
}

/// One block per item.
inline Grid block_each(std::int64_t count) {
  return {dim3(static_cast<unsigned>(count)), kThreads, 0};
}

}  // namespace mantissa::cuda
