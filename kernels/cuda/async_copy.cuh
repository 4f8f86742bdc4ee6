#pragma once
// Asynchronous copies from device to shared memory (PTX ISA, "cp.async"): the thread goes on while
// they run. Below compute capability 8.0 they are done at once.
//
// A thread's copies form groups: those between two calls of close_copies. What has arrived is seen
// by the other threads of the block after the next barrier.

#include <cstdint>

#include "kernels/cuda/device.cuh"

namespace mantissa::cuda {

struct alignas(16) Bytes16 {
  std::uint32_t word[4];
};

/// 16 bytes, both addresses multiples of 16; zeros where `there` is false, and nothing is read.
__device__ inline void copy_async(void* shared, const void* device, bool there) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(to), "l"(device), "r"(there ? 16 : 0)
               : "memory");
#elif defined(MANTISSA_CUDA_ON_HOST)
  cuda_on_host::copies().begin(shared, there ? device : nullptr);
#else
  *static_cast<Bytes16*>(shared) = there ? *static_cast<const Bytes16*>(device) : Bytes16{};
#endif
}

__device__ inline void close_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#elif defined(MANTISSA_CUDA_ON_HOST)
  cuda_on_host::copies().close();
#endif
}

/// Waits for the thread's copies but those of the latest kLater groups.
template <int kLater>
__device__ inline void await_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#elif defined(MANTISSA_CUDA_ON_HOST)
  // As late as it may be: a wait too short, or a barrier left out, reads what was there before.
  for (const auto& [shared, device] : cuda_on_host::copies().await(kLater)) {
    *static_cast<Bytes16*>(shared) =
        device != nullptr ? *static_cast<const Bytes16*>(device) : Bytes16{};
  }
#endif
}

}  // namespace mantissa::cuda
