#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif defined(MANTISSA_CUDA_ON_HOST)
#include "cuda_on_host.h"
#else
#include <cuda_runtime_api.h>
#endif
#if defined(MANTISSA_CUDA_EMBEDDED)
#include "kernels/cuda/embedded/named_kernel.h"
#endif

#include "kernels/check.h"
#include "kernels/cuda/counts.h"
#include "kernels/device_lost.h"

namespace mantissa::cuda {

/// Whether the process must be restarted after this error, by CUDA's documentation.
inline bool is_lost(cudaError_t status) {
  switch (status) {
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

/// CUDA's own text for a status; without a driver the runtime has none.
inline std::string cuda_text(cudaError_t status) {
  const char* text = cudaGetErrorString(status);
  return text != nullptr ? text : "error " + std::to_string(static_cast<int>(status));
}

/// Throws "[what] CUDA: its own text" if a call failed: DeviceLost if no later call can succeed,
/// OutOfDeviceMemory with the free bytes, else std::runtime_error.
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) {
    return;
  }
  const std::string text = std::string("[") + what + "] CUDA: " + cuda_text(status);
  if (is_lost(status)) {
    throw DeviceLost(text);
  }
  cudaGetLastError();  // reported here; later launches must not see it
  if (status == cudaErrorMemoryAllocation) {
    std::size_t free = 0, total = 0;
    const bool known = cudaMemGetInfo(&free, &total) == cudaSuccess;
    throw OutOfDeviceMemory(text + (known ? "; " + std::to_string(free) + " bytes of " +
                                                std::to_string(total) + " bytes are free"
                                          : ""));
  }
  throw std::runtime_error(text);
}

/// Throws DeviceLost if a library failed because the card is lost.
inline void check_alive(const char* what) {
  std::size_t free = 0, total = 0;
  for (const cudaError_t status : {cudaPeekAtLastError(), cudaMemGetInfo(&free, &total)}) {
    if (is_lost(status)) {
      check_cuda(status, what);
    }
  }
}

/// The shape of a launch.
struct Grid {
  dim3 blocks;
  int threads = 256;             ///< per block, along x
  std::size_t shared_bytes = 0;  ///< size of dynamic_shared
};
/// More dynamic shared memory than this needs an attribute of the kernel.
inline constexpr std::size_t kSharedWithoutAsking = 48 * 1024;

/// Enough blocks for one thread per item of a grid-stride loop, capped at kMaxBlocks.
inline Grid grid_for(std::int64_t items, int threads = 256, std::int64_t most = 4096) {
  const std::int64_t blocks = std::clamp<std::int64_t>(ceil_div(items, threads), 1, most);
  return {dim3(static_cast<unsigned>(blocks)), threads, 0};
}

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
