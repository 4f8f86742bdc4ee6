#pragma once
// Included before a kernel file, this reduces it to what a training step launches: BF16, in whole
// packs. Compiling the other types and the scalar forms too would take ten times as long.

#define dispatch_float dispatch_every_float
#define dispatch_pack dispatch_every_pack
#include "kernels/cuda/device.cuh"
#undef dispatch_float
#undef dispatch_pack

namespace mantissa {

template <typename F>
decltype(auto) dispatch_float(DType, F&& f) {
  return f.template operator()<bfloat16>();
}

namespace cuda {

template <typename T, typename F>
void dispatch_pack(bool, F&& f) {
  f.template operator()<kPack<T>>();
}

}  // namespace cuda
}  // namespace mantissa
