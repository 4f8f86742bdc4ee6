#pragma once

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

}  // namespace mantissa::cuda
