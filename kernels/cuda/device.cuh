#pragma once
// Building blocks of the hand-written kernels: launch, load and store of every dtype, reductions
// over warps and blocks.
//
// Rules of every kernel:
// - It is launched only by `launch` and gets dynamic shared memory only from `dynamic_shared`, so
//   that tests can run the same source on the host.
// - No atomics on floats: the same inputs give the same bits on every run.
// - Threads that leave early must not be waited for: no return before a barrier or a shuffle.

#include <cmath>
#include <cstdint>
#include <type_traits>

#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#elif defined(MANTISSA_CUDA_EMBEDDED)
#include "kernels/cuda/embedded/device_words.h"
#else
#include "cuda_on_host.h"  // tests/kernels/cuda_on_host
#endif

#include "kernels/check.h"
#include "kernels/cuda/launch.h"
#include "kernels/dtype.h"

namespace mantissa::cuda {

inline constexpr int kWarp = 32;
/// Default threads per block.
inline constexpr int kThreads = 256;
inline constexpr int kWarps = kThreads / kWarp;
/// Blocks of a grid-stride kernel: enough to fill every card.
inline constexpr std::int64_t kMaxBlocks = 4096;

// -- values ------------------------------------------------------------------------------------

/// The value of a stored element, codes too, widened: double for double, float for the rest.
template <typename T>
__device__ inline accumulator_t<T> load(const T* p) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float16>) {
    return __half2float(__ushort_as_half(p->bits));
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    return __uint_as_float(static_cast<unsigned>(p->bits) << 16);
  } else if constexpr (std::is_same_v<T, float8_e4m3>) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(p->bits, __NV_E4M3)));
  } else if constexpr (std::is_same_v<T, float8_e5m2>) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(p->bits, __NV_E5M2)));
  } else
#endif
  {
    return static_cast<accumulator_t<T>>(*p);
  }
}

/// `value` rounded once to T, to nearest even.
template <typename T>
__device__ inline T rounded(accumulator_t<T> value) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float16>) {
    T result;
    result.bits = __half_as_ushort(__float2half_rn(value));
    return result;
  } else if constexpr (std::is_same_v<T, bfloat16>) {
    T result;
    result.bits = __bfloat16_as_ushort(__float2bfloat16_rn(value));
    return result;
  } else
#endif
  {
    return T(value);
  }
}

template <typename T>
__device__ inline void store(T* p, accumulator_t<T> value) {
  *p = rounded<T>(value);
}

/// N neighbours in one access; p must be aligned to their size.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
  T value[N];
};
template <int N, typename T>
__device__ inline Pack<T, N> load_pack(const T* p) {
  return *reinterpret_cast<const Pack<T, N>*>(p);
}
template <int N, typename T>
__device__ inline void store_pack(T* p, const Pack<T, N>& pack) {
  *reinterpret_cast<Pack<T, N>*>(p) = pack;
}
/// Elements of T in 16 bytes, the widest access.
template <typename T>
inline constexpr int kPack = 16 / static_cast<int>(sizeof(T));

/// N neighbours as one access, widened.
template <int N, typename T>
__device__ inline void load_lanes(const T* p, accumulator_t<T> (&to)[N]) {
  const Pack<T, N> pack = load_pack<N>(p);
#pragma unroll
  for (int i = 0; i < N; ++i) {
    to[i] = load(&pack.value[i]);
  }
}
/// N neighbouring values of the accumulator's type, 16 bytes at a time.
template <int N, typename T>
__device__ inline void load_values(const T* p, T (&to)[N]) {
  constexpr int kPiece = N < kPack<T> ? N : kPack<T>;
#pragma unroll
  for (int i = 0; i < N; i += kPiece) {
    const Pack<T, kPiece> pack = load_pack<kPiece>(p + i);
#pragma unroll
    for (int j = 0; j < kPiece; ++j) {
      to[i + j] = pack.value[j];
    }
  }
}
template <int N, typename T>
__device__ inline void store_lanes(T* p, const accumulator_t<T> (&from)[N]) {
  Pack<T, N> pack;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    pack.value[i] = rounded<T>(from[i]);
  }
  store_pack<N>(p, pack);
}

/// Whether every row of `v` can be accessed in whole packs of N elements.
template <int N>
bool in_packs(const View& v) {
  return v.cols() % N == 0 && v.row_stride % N == 0 &&
         reinterpret_cast<std::uintptr_t>(v.data) % (N * dtype_size(v.dtype)) == 0;
}
/// f.operator()<N>() with the widest N that rows of T allow: kPack<T> where `whole`, else 1.
template <typename T, typename F>
void dispatch_pack(bool whole, F&& f) {
  if (whole) {
    f.template operator()<kPack<T>>();
  } else {
    f.template operator()<1>();
  }
}

/// f.operator()<T>() with the type of a float view of at most 32 bits.
template <typename F>
void dispatch_narrow(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f16:
      return f.template operator()<float16>();
    case DType::bf16:
      return f.template operator()<bfloat16>();
    default:
      return f.template operator()<float>();
  }
}

/// Rows of T, `stride` elements apart; none where `data` is null.
template <typename T>
struct Rows {
  T* data = nullptr;
  std::int64_t stride = 0;
  __device__ T* at(std::int64_t row, std::int64_t column) const {
    return data + row * stride + column;
  }
};
template <typename T>
Rows<T> rows_of(const View& v) {
  return {static_cast<T*>(v.data), v.row_stride};
}

// -- the thread's place ------------------------------------------------------------------------

__device__ inline std::int64_t global_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t global_threads() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// Index of the last of `count` rows whose `member` is at most `at`: the tensor that block `at` of
/// a launch belongs to, where `member` counts the blocks of the preceding tensors.
template <typename Row>
__device__ inline int find_row(const Row* rows, int count, std::int64_t Row::*member,
                               std::int64_t at) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (rows[middle].*member <= at) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// -- sums ----------------------------------------------------------------------------------------

/// The reduction over the 32 lanes of a warp, in every lane. All lanes must take part.
template <typename T, typename Combine>
__device__ inline T warp_reduce(T value, Combine combine) {
#pragma unroll
  for (int lane = kWarp / 2; lane > 0; lane /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, lane));
  }
  return value;
}

/// The reduction over the block, in every thread; always in the same order. blockDim.x must be a
/// multiple of 32, at most 1024, and all threads must take part. `nothing` is the neutral element.
template <typename T, typename Combine>
__device__ inline T block_reduce(T value, T nothing, Combine combine) {
  __shared__ T parts[kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  value = warp_reduce(value, combine);
  __syncthreads();  // the previous reduction may still read `parts`
  if (lane == 0) {
    parts[warp] = value;
  }
  __syncthreads();
  return warp_reduce(lane < warps ? parts[lane] : nothing, combine);
}

template <typename T>
__device__ inline T block_sum(T value) {
  return block_reduce(value, T(0), [](T a, T b) { return a + b; });
}

/// Several sums over the block at once, in every thread; as block_reduce.
template <int n, typename T>
__device__ inline void block_sums(T (&values)[n]) {
  __shared__ T parts[n][kWarp];
  const auto plus = [](T a, T b) { return a + b; };
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  __syncthreads();  // `parts` may still be read by an earlier call
#pragma unroll
  for (int i = 0; i < n; ++i) {
    values[i] = warp_reduce(values[i], plus);
    if (lane == 0) {
      parts[i][warp] = values[i];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < n; ++i) {
    values[i] = warp_reduce(lane < warps ? parts[i][lane] : T(0), plus);
  }
}

/// The reduction over a team: a warp or, where kTeam is not 32, the block. All must take part.
template <int kTeam, typename T, typename Combine>
__device__ inline T team_reduce(T value, T nothing, Combine combine) {
  if constexpr (kTeam == kWarp) {
    return warp_reduce(value, combine);
  } else {
    return block_reduce(value, nothing, combine);
  }
}

template <int kTeam, typename T>
__device__ inline T team_sum(T value) {
  return team_reduce<kTeam>(value, T(0), [](T a, T b) { return a + b; });
}

/// Several sums over a team at once; as team_reduce.
template <int kTeam, int n, typename T>
__device__ inline void team_sums(T (&values)[n]) {
  if constexpr (kTeam == kWarp) {
#pragma unroll
    for (int i = 0; i < n; ++i) {
      values[i] = warp_reduce(values[i], [](T a, T b) { return a + b; });
    }
  } else {
    block_sums(values);
  }
}

/// The larger of two; NaN if either is.
__device__ inline float max_nan(float a, float b) {
  return a > b || a != a ? a : b;
}

// -- functions -----------------------------------------------------------------------------------

/// Whether fp32 functions may be approximate for results of type S: rounding to 16 bits hides it.
template <typename S>
inline constexpr bool kRough = sizeof(S) == 2;

/// e^x for results of type S. If rough, within 2 + 1.2·|x| units in the last place of fp32, as
/// __expf is (CUDA C++ Programming Guide, "Intrinsic Functions"): at most about 2^-17 of any normal
/// result. What is below the smallest normal number is 0: __expf takes three instructions for it.
template <typename S>
__device__ inline accumulator_t<S> exponential(accumulator_t<S> x) {
#if defined(__CUDA_ARCH__)
  if constexpr (kRough<S>) {
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * 1.44269504F));
    return result;
  }
#endif
  return std::exp(x);
}

/// 1/x for results of type S. If rough, within 1 unit in the last place of fp32 (PTX ISA, "rcp");
/// 0 above 2^126.
template <typename S>
__device__ inline accumulator_t<S> reciprocal(accumulator_t<S> x) {
#if defined(__CUDA_ARCH__)
  if constexpr (kRough<S>) {
    float result;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  }
#endif
  return accumulator_t<S>(1) / x;
}

/// 1 / (1 + e^-x), for results of type S.
template <typename S>
__device__ inline accumulator_t<S> sigmoid_for(accumulator_t<S> x) {
  return reciprocal<S>(accumulator_t<S>(1) + exponential<S>(-x));
}

/// 1 / (1 + e^-x)
template <typename T>
__device__ inline T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

}  // namespace mantissa::cuda
