#pragma once
// Kernels run one thread after the other on the thread that launches them, in an order that tests
// choose; at a barrier or a warp function a thread waits as a fiber. Undefined behaviour on a card
// is an error here: see machine.h. Atomics exist for integers only.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __constant__ const
// The tag appears in the symbol's name, by which machine.cpp finds all of them to poison.
#define __shared__ static thread_local __attribute__((abi_tag("shared")))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
struct CUstream_st;
using cudaStream_t = CUstream_st*;

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace cuda_on_host {

/// Runs `kernel` once for each thread of the grid, or records it if `stream` is capturing. Throws
/// std::runtime_error if a card would refuse the launch or its result would be undefined.
void launch(cudaStream_t stream, dim3 blocks, int threads, std::size_t shared_bytes,
            std::function<void()> kernel);
/// Does `work`, which may touch device memory, in stream order: for the fakes of cuBLASLt and
/// cuDNN.
void enqueue(cudaStream_t stream, std::function<void()> work);
/// Whether a library's launch fails: see Fault in machine.h. Counts it.
bool launch_fails();
/// The dynamic shared memory of the running block.
void* dynamic_shared();

/// The copies that the running thread has begun (kernels/cuda/async_copy.cuh) and not waited for.
class Copies {
 public:
  struct Copy {
    void* shared;
    const void* device;  ///< null: zeros
  };
  void begin(void* shared, const void* device) { open_.push_back({shared, device}); }
  void close() { groups_.push_back(std::exchange(open_, {})); }
  /// Copies of all groups but the latest `later`, which the caller does now.
  std::vector<Copy> await(std::size_t later) {
    std::vector<Copy> arrived;
    for (; groups_.size() > later; groups_.pop_front()) {
      arrived.insert(arrived.end(), groups_.front().begin(), groups_.front().end());
    }
    return arrived;
  }
  bool pending() const {
    const auto any = [](const std::vector<Copy>& group) { return !group.empty(); };
    return any(open_) || std::any_of(groups_.begin(), groups_.end(), any);
  }

 private:
  std::vector<Copy> open_;
  std::deque<std::vector<Copy>> groups_;
};
Copies& copies();

// The basis of the functions below; see machine.cpp.
enum class WarpFunction : std::uint8_t { sync, shuffle, ballot };
/// Synchronizes the lanes of `mask`. Each lane gets the `bytes` (at most 16) of lane `source`'s
/// `value`; returns the lanes with `vote` set.
unsigned warp_call(WarpFunction function, unsigned mask, int source, void* value, std::size_t bytes,
                   bool vote);
/// Synchronizes all threads of the block; returns how many have `vote` set.
int block_barrier(bool vote);

template <typename T>
T shuffle(unsigned mask, T value, int source) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16);
  warp_call(WarpFunction::shuffle, mask, source, &value, sizeof(T), false);
  return value;
}
inline int lane() {
  return static_cast<int>(threadIdx.x) % warpSize;
}

}  // namespace cuda_on_host

// -- barriers and warp functions -----------------------------------------------------------------

inline void __syncthreads() {
  cuda_on_host::block_barrier(false);
}
inline int __syncthreads_count(int vote) {
  return cuda_on_host::block_barrier(vote != 0);
}
inline int __syncthreads_or(int vote) {
  return static_cast<int>(cuda_on_host::block_barrier(vote != 0) > 0);
}
inline int __syncthreads_and(int vote) {
  return static_cast<int>(cuda_on_host::block_barrier(vote == 0) == 0);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  cuda_on_host::warp_call(cuda_on_host::WarpFunction::sync, mask, 0, nullptr, 0, false);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {
  const int first = cuda_on_host::lane() / width * width;
  return cuda_on_host::shuffle(mask, value, first + source % width);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = warpSize) {
  const int lane = cuda_on_host::lane(), source = lane ^ lanes;
  return cuda_on_host::shuffle(mask, value, source / width > lane / width ? lane : source);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const int lane = cuda_on_host::lane(), source = lane + static_cast<int>(delta);
  return cuda_on_host::shuffle(mask, value, source / width == lane / width ? source : lane);
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  const int lane = cuda_on_host::lane(), source = lane - static_cast<int>(delta);
  return cuda_on_host::shuffle(mask, value, source >= lane / width * width ? source : lane);
}
inline unsigned __ballot_sync(unsigned mask, int vote) {
  return cuda_on_host::warp_call(cuda_on_host::WarpFunction::ballot, mask, 0, nullptr, 0,
                                 vote != 0);
}
inline int __any_sync(unsigned mask, int vote) {
  return static_cast<int>(__ballot_sync(mask, vote) != 0);
}
inline int __all_sync(unsigned mask, int vote) {
  return static_cast<int>(__ballot_sync(mask, vote) == mask);
}

// -- atomics -------------------------------------------------------------------------------------

namespace cuda_on_host {
/// Not checked for races: atomics of several warps may collide.
template <typename T, typename F>
__attribute__((noinline, no_sanitize("thread"))) T exchange(T* p, F&& f) {
  static_assert(std::is_integral_v<T>, "kernels are deterministic: no atomics on floats");
  const T old = *p;
  *p = f(old);
  return old;
}
}  // namespace cuda_on_host

template <typename T>
T atomicAdd(T* p, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T old) { return static_cast<T>(old + value); });
}
template <typename T>
T atomicMax(T* p, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T old) { return old < value ? value : old; });
}
template <typename T>
T atomicMin(T* p, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T old) { return value < old ? value : old; });
}
template <typename T>
T atomicOr(T* p, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T old) { return static_cast<T>(old | value); });
}
template <typename T>
T atomicExch(T* p, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T) { return value; });
}
template <typename T>
T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return cuda_on_host::exchange(p, [=](T old) { return old == expected ? value : old; });
}

// -- bits and math -------------------------------------------------------------------------------

template <typename T>
T __ldg(const T* p) {
  return *p;
}
inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __clz(int x) {
  return std::countl_zero(static_cast<unsigned>(x));
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline unsigned __float_as_uint(float x) {
  return std::bit_cast<unsigned>(x);
}
inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
inline float __uint_as_float(unsigned x) {
  return std::bit_cast<float>(x);
}
inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
inline float rsqrtf(float x) {
  return 1.0F / std::sqrt(x);
}
inline double rsqrt(double x) {
  return 1.0 / std::sqrt(x);
}

#include "runtime_on_host.h"
