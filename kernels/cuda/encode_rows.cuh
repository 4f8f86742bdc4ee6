#pragma once
// Rows that become codes with a scale each, as they are or as a kernel computes them.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/cuda/device.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {

/// The code of x: by hardware if available, which clamps infinities too.
template <typename F>
__device__ inline std::uint8_t encode(float x) {
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 890
  if constexpr (CodeFormat<F>::kHasNan) {
    if ((__float_as_uint(x) & 0x7fffffffu) < 0x7f800000u) {
      return __nv_cvt_float_to_fp8(x, __NV_SATFINITE,
                                   std::is_same_v<F, float8_e4m3> ? __NV_E4M3 : __NV_E5M2);
    }
  }
#endif
#endif
  return CodeFormat<F>::encode(x);
}

/// The largest; NaN if any is.
__device__ inline float block_largest(float value) {
  return block_reduce(value, 0.0F, max_nan);
}

/// The maximum of `most` and the finite magnitudes in a pack. Where one isn't finite: NaN for a
/// format without NaN, else it is ignored.
template <typename F, int N>
__device__ inline float largest_of(const Pack<float, N>& pack, float most) {
#pragma unroll
  for (int j = 0; j < N; ++j) {
    const float a = std::fabs(pack.value[j]);
    const bool finite = a <= 3.402823466e+38F;
    most = finite && a > most ? a : most;
    if constexpr (!CodeFormat<F>::kHasNan) {
      most = finite ? most : a - a;
    }
  }
  return most;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
/// Two FP8 codes of finite values.
template <typename F>
__device__ inline std::uint16_t encode_pair(float first, float second) {
  return __nv_cvt_float2_to_fp8x2(make_float2(first, second), __NV_SATFINITE,
                                  std::is_same_v<F, float8_e4m3> ? __NV_E4M3 : __NV_E5M2);
}
#endif

template <typename F, int N>
__device__ inline void store_codes(Pack<float, N> pack, float inverse, std::uint8_t* out) {
  bool finite = true;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    pack.value[j] *= inverse;
    finite = finite && std::fabs(pack.value[j]) <= 3.402823466e+38F;
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if constexpr (CodeFormat<F>::kHasNan && N % 2 == 0) {
    if (finite) {
      Pack<std::uint16_t, N / 2> pairs;
#pragma unroll
      for (int j = 0; j < N / 2; ++j) {
        pairs.value[j] = encode_pair<F>(pack.value[2 * j], pack.value[2 * j + 1]);
      }
      *reinterpret_cast<Pack<std::uint16_t, N / 2>*>(out) = pairs;
      return;
    }
  }
#endif
  Pack<std::uint8_t, N> codes;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    codes.value[j] = encode<F>(pack.value[j]);
  }
  store_pack<N>(out, codes);
}

/// `kParts` packs of a row's values of S, which lie in as many equal parts of the row.
template <typename S, int N, int kParts>
struct RowPacks {
  Pack<S, N> part[kParts];
};

/// A pack in fp32, times `factor` if given.
template <typename S, int N>
__device__ inline Pack<float, N> scaled_pack(const Pack<S, N>& pack, const float* factor) {
  Pack<float, N> wide;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    wide.value[j] = load(&pack.value[j]);
  }
  if (factor != nullptr) {
    float by[N];
    load_values<N>(factor, by);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      wide.value[j] *= by[j];
    }
  }
  return wide;
}

// The kernels below take rows that tell
//   Value, kWidth, kParts   type of the values, how many are in a pack, parts of a row
//   kHeld                   the most RowPacks of a row that a thread keeps in registers
//   rows, cols              of one part
//   stored(row, p)          RowPacks p of a row, in 0 .. cols / kWidth
//   wide(pack, i, p)        its pack of part i in fp32, as it is encoded
//   place(i)                where part i is in a row of codes

constexpr int kMostTeam = 512;

/// Threads that process a row of `packs` RowPacks together, the fewest warps that hold it; 0 if it
/// is too long.
inline int team_for(std::int64_t packs, int held) {
  const std::int64_t team = ceil_div(packs, held * kWarp) * kWarp;
  return team <= kMostTeam ? static_cast<int>(team) : 0;
}

/// The largest of a team's magnitudes, in every thread. `team` divides the block; all threads of
/// the block must take part.
__device__ inline std::uint32_t team_largest(std::uint32_t most, int team) {
  const auto larger = [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; };
  most = warp_reduce(most, larger);
  if (team > kWarp) {
    __shared__ std::uint32_t parts[kMostTeam / kWarp];
    const int warp = static_cast<int>(threadIdx.x) / kWarp, warps = team / kWarp;
    if (threadIdx.x % kWarp == 0) {
      parts[warp] = most;
    }
    __syncthreads();
    for (int i = 0; i < warps; ++i) {
      most = larger(most, parts[warp / warps * warps + i]);
    }
  }
  return most;
}

/// Rows that their teams hold: read once. The bits of magnitudes are in the order of their values,
/// with infinity and NaN above all numbers.
template <typename Source, typename F>
__global__ void __launch_bounds__(kMostTeam, 2)
    quantize_held_rows_kernel(Source in, int team, float* scale, std::uint8_t* out) {
  constexpr std::uint32_t kInfinity = 0x7f800000U;
  constexpr int kN = Source::kWidth, kParts = Source::kParts, kHeld = Source::kHeld;
  const int thread = static_cast<int>(threadIdx.x), member = thread % team;
  const int teams = static_cast<int>(blockDim.x) / team;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * teams + thread / team;
  const int packs = row < in.rows ? static_cast<int>(in.cols / kN) : 0;
  RowPacks<typename Source::Value, kN, kParts> held[kHeld];
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (const int p = member + i * team; p < packs) {
      held[i] = in.stored(row, p);
    }
  }
  std::uint32_t most = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (const int p = member + i * team; p < packs) {
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        const Pack<float, kN> values = in.wide(held[i].part[part], part, p);
#pragma unroll
        for (int j = 0; j < kN; ++j) {
          const std::uint32_t bits = std::bit_cast<std::uint32_t>(values.value[j]) & 0x7fffffffU;
          const bool counts = !CodeFormat<F>::kHasNan || bits < kInfinity;
          most = counts && bits > most ? bits : most;
        }
      }
    }
  }
  most = team_largest(most, team);
  // Not finite: only of a format without NaN, whose scale is NaN then.
  const float largest = std::bit_cast<float>(most < kInfinity ? most : 0x7fc00000U);
  const float s = code_scale(largest, CodeFormat<F>::kMax);
  if (member == 0 && packs > 0) {
    scale[row] = s;
  }
  const float inverse = 1.0F / s;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (const int p = member + i * team; p < packs) {
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        store_codes<F, kN>(in.wide(held[i].part[part], part, p), inverse,
                           out + (row * kParts + in.place(part)) * in.cols + p * kN);
      }
    }
  }
}

/// Rows of any length: one block per row, which reads or computes it twice.
template <typename Source, typename F>
__global__ void quantize_rows_kernel(Source in, float* scale, std::uint8_t* out) {
  constexpr int kN = Source::kWidth, kParts = Source::kParts;
  const std::int64_t row = blockIdx.x, packs = in.cols / kN;
  float most = 0.0F;
  for (std::int64_t p = threadIdx.x; p < packs; p += blockDim.x) {
    const auto stored = in.stored(row, p);
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      most = largest_of<F>(in.wide(stored.part[part], part, p), most);
    }
  }
  const float s = code_scale(block_largest(most), CodeFormat<F>::kMax);
  if (threadIdx.x == 0) {
    scale[row] = s;
  }
  const float inverse = 1.0F / s;
  for (std::int64_t p = threadIdx.x; p < packs; p += blockDim.x) {
    const auto stored = in.stored(row, p);
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      store_codes<F, kN>(in.wide(stored.part[part], part, p), inverse,
                         out + (row * kParts + in.place(part)) * in.cols + p * kN);
    }
  }
}

/// Encodes all rows of `in`, each with its own scale.
template <typename F, typename Source>
void encode_rows(cudaStream_t stream, const Source& in, float* scale, std::uint8_t* out) {
  const std::int64_t packs = in.cols / Source::kWidth;
  if constexpr (Source::kWidth > 1) {
    if (const int team = team_for(packs, Source::kHeld); team > 0) {
      const int teams = std::max(1, kThreads / team);
      launch<quantize_held_rows_kernel<Source, F>>(
          stream, {dim3(static_cast<unsigned>(ceil_div(in.rows, teams))), teams * team, 0}, in,
          team, scale, out);
      return;
    }
  }
  const auto threads =
      static_cast<int>(std::min<std::int64_t>(kThreads, ceil_div(packs, kWarp) * kWarp));
  launch<quantize_rows_kernel<Source, F>>(
      stream, {dim3(static_cast<unsigned>(in.rows)), threads, 0}, in, scale, out);
}

}  // namespace mantissa::cuda
