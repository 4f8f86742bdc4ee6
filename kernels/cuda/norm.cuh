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
};

/// One block per item.
inline Grid block_each(std::int64_t count) {
  return {dim3(static_cast<unsigned>(count)), kThreads, 0};
}

}  // namespace mantissa::cuda
