#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif defined(MANTISSA_CUDA_ON_HOST)
#include "cuda_on_host.h"
#else
#include <cuda_runtime_api.h>
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

/// Throws "[what] CUDA: its own text" if a call failed: DeviceLost if no later call can succeed,
/// OutOfDeviceMemory with the free bytes, else std::runtime_error.
inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) {
    return;
  }
  const std::string text = std::string("[") + what + "] CUDA: " + cudaGetErrorString(status);
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

/// Enough blocks for one thread per item of a grid-stride loop, capped at kMaxBlocks.
inline Grid grid_for(std::int64_t items, int threads = 256, std::int64_t most = 4096) {
  const std::int64_t blocks = std::clamp<std::int64_t>(ceil_div(items, threads), 1, most);
  return {dim3(static_cast<unsigned>(blocks)), threads, 0};
}

#if defined(__CUDACC__)

/// Runs `kernel` on `stream`. All launches go through here.
template <typename... Parameters, typename... Arguments>
void launch(cudaStream_t stream, const Grid& grid, void (*kernel)(Parameters...),
            Arguments&&... arguments) {
  constexpr std::size_t kWithoutAsking = 48 * 1024;
  if (grid.shared_bytes > kWithoutAsking) {
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
void launch(cudaStream_t stream, const Grid& grid, void (*kernel)(Parameters...),
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

}  // namespace mantissa::cuda
