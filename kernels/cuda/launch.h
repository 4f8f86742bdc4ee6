#pragma once

#include <tuple>
#include <utility>

#if defined(MANTISSA_CUDA_EMBEDDED)
#include "kernels/cuda/embedded/named_kernel.h"
#endif

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/counts.h"
#include "kernels/cuda/grid.h"

namespace mantissa::cuda {

#if defined(__CUDACC__)

template <typename... Parameters, typename... Arguments>
void launch_kernel(cudaStream_t stream, const Grid& grid, void (*kernel)(Parameters...),
                   Arguments&&... arguments) {
  if (grid.shared_bytes > kSharedWithoutAsking) {
    check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(grid.shared_bytes)),
               "launch");
  }
  kernel<<<grid.blocks, static_cast<unsigned>(grid.threads), grid.shared_bytes, stream>>>(
      static_cast<Parameters>(arguments)...);
  ++counts().launches;
  check_cuda(cudaPeekAtLastError(), "launch");
}

/// The block's dynamic shared memory (Grid::shared_bytes), 16-byte aligned.
template <typename T>
__device__ inline T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char mantissa_dynamic_shared[];
  return reinterpret_cast<T*>(mantissa_dynamic_shared);
}

#elif defined(MANTISSA_CUDA_ON_HOST)

template <typename... Parameters, typename... Arguments>
void launch_kernel(cudaStream_t stream, const Grid& grid, void (*kernel)(Parameters...),
                   Arguments&&... arguments) {
  cuda_on_host::launch(
      stream, grid.blocks, grid.threads, grid.shared_bytes,
      [kernel, ... values = static_cast<Parameters>(arguments)] { kernel(values...); });
  ++counts().launches;
  check_cuda(cudaPeekAtLastError(), "launch");
}

template <typename T>
T* dynamic_shared() {
  return static_cast<T*>(cuda_on_host::dynamic_shared());
}

#endif

#if defined(__CUDACC__) || defined(MANTISSA_CUDA_ON_HOST)

/// Runs `kKernel` on `stream`. All launches go through here.
template <auto kKernel, typename... Arguments>
void launch(cudaStream_t stream, const Grid& grid, Arguments&&... arguments) {
  launch_kernel(stream, grid, kKernel, std::forward<Arguments>(arguments)...);
}
/// What must have been done before the first launch; throws std::runtime_error.
inline void prepare_kernels() {}

#elif defined(MANTISSA_CUDA_EMBEDDED)

template <typename... Parameters, typename... Arguments>
void launch_by_name(cudaStream_t stream, const Grid& grid, const NamedKernel& kernel,
                    void (*)(Parameters...), Arguments&&... arguments) {
  std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
  std::apply(
      [&](auto&... value) {
        void* addresses[] = {&value...};
        kernel.launch(stream, grid, addresses);
      },
      values);
}

/// Launches where nvcc is not the compiler: `kKernel` is only a name here.
template <auto kKernel, typename... Arguments>
void launch(cudaStream_t stream, const Grid& grid, Arguments&&... arguments) {
  launch_by_name(stream, grid, kNamedKernel<kKernel>, static_cast<decltype(kKernel)>(nullptr),
                 std::forward<Arguments>(arguments)...);
}

/// For kernels that are compiled here only to be named.
template <typename T>
T* dynamic_shared();

#endif

}  // namespace mantissa::cuda
