// Codes and their scales.
#include <algorithm>
#include <bit>

#include "kernels/check_quant.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {
namespace {

/// Blocks of the kernels for one scale, about as many as a card holds at once: those that encode
/// read the results of all that searched.
constexpr std::int64_t kScalingBlocks = 512;
/// Packs that a thread loads before it needs the first.
constexpr int kAhead = 4;

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

/// Rows of S, read N neighbours at a time. `factor`, if given, multiplies columns.
template <typename S, int N>
struct Source {
  const S* data;
  std::int64_t rows, cols, stride;
  const float* factor;

  __device__ std::int64_t packs() const { return cols / N; }  ///< of a row
  __device__ Pack<S, N> stored(std::int64_t row, std::int64_t p) const {
    return load_pack<N>(data + row * stride + p * N);
  }
  /// Pack p of a row, in fp32.
  __device__ Pack<float, N> wide(const Pack<S, N>& stored, std::int64_t p) const {
    Pack<float, N> wide;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      wide.value[j] = load(&stored.value[j]);
    }
    if (factor != nullptr) {
      float by[N];
      load_values<N>(factor + p * N, by);
#pragma unroll
      for (int j = 0; j < N; ++j) {
        wide.value[j] *= by[j];
      }
    }
    return wide;
  }
  __device__ Pack<float, N> get(std::int64_t row, std::int64_t p) const {
    return wide(stored(row, p), p);
  }
};

/// The next kAhead packs of a thread, loaded together.
template <typename S, int N>
class Ahead {
 public:
  __device__ Ahead(const Source<S, N>& in, const PackWalk<>& first) : next_(first) {
    PackWalk<> at = first;
#pragma unroll
    for (int i = 0; i < kAhead; ++i, at.next()) {
      if (at.row < in.rows) {
        stored_[i] = in.stored(at.row, at.pack);
      }
    }
  }
  /// f(values in fp32, row, pack) of each that there is; then the place after them.
  template <typename Fn>
  __device__ PackWalk<> each(const Source<S, N>& in, Fn&& f) const {
    PackWalk<> at = next_;
#pragma unroll
    for (int i = 0; i < kAhead; ++i, at.next()) {
      if (at.row < in.rows) {
        f(in.wide(stored_[i], at.pack), at.row, at.pack);
      }
    }
    return at;
  }

 private:
  PackWalk<> next_;
  Pack<S, N> stored_[kAhead];
};

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

template <typename S, typename F, int N>
__global__ void __launch_bounds__(kThreads, 4) largest_kernel(Source<S, N> in, float* partial) {
  float most = 0.0F;
  for (PackWalk<> at(in.packs()); at.row < in.rows;) {
    at = Ahead<S, N>(in, at).each(in, [&](const Pack<float, N>& values, std::int64_t,
                                          std::int64_t) { most = largest_of<F>(values, most); });
  }
  most = block_largest(most);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = most;
  }
}

/// With one scale: each block computes it from the partial results, the first one stores it.
template <typename S, typename F, int N>
__global__ void __launch_bounds__(kThreads, 4)
    quantize_kernel(Source<S, N> in, const float* partial, int partials, float* scale,
                    float* delayed, std::uint8_t* out) {
  PackWalk<> at(in.packs());
  Ahead<S, N> ahead(in, at);  // under way while the scale is found
  float most = 0.0F;
  for (int i = static_cast<int>(threadIdx.x); i < partials; i += static_cast<int>(blockDim.x)) {
    most = max_nan(most, partial[i]);
  }
  most = block_largest(most);
  float s = code_scale(most, CodeFormat<F>::kMax);
  if (delayed != nullptr) {
    s = delayed[0] > 0.0F ? delayed[0] : s;
  }
  if (global_thread() == 0) {
    scale[0] = s;
    if (delayed != nullptr) {
      delayed[1] = max_nan(most, delayed[1]);
    }
  }
  const float inverse = 1.0F / s;
  while (at.row < in.rows) {
    at = ahead.each(in, [&](const Pack<float, N>& values, std::int64_t row, std::int64_t pack) {
      store_codes<F, N>(values, inverse, out + row * in.cols + pack * N);
    });
    ahead = Ahead<S, N>(in, at);
  }
}

/// Packs of a row that a thread keeps in registers.
constexpr int kHeld = 5;
constexpr int kMostTeam = 512;

/// Threads that process a row together, the fewest warps that hold it; 0 if it is too long.
int team_for(std::int64_t packs) {
  const std::int64_t team = ceil_div(packs, std::int64_t{kHeld} * kWarp) * kWarp;
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

/// With a scale per row that its team holds: read once. The bits of magnitudes are in the order of
/// their values, with infinity and NaN above all numbers.
template <typename S, typename F, int N>
__global__ void __launch_bounds__(kMostTeam, 2)
    quantize_held_rows_kernel(Source<S, N> in, int team, float* scale, std::uint8_t* out) {
  constexpr std::uint32_t kInfinity = 0x7f800000U;
  const int thread = static_cast<int>(threadIdx.x), member = thread % team;
  const int teams = static_cast<int>(blockDim.x) / team;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * teams + thread / team;
  const int packs = row < in.rows ? static_cast<int>(in.packs()) : 0;
  Pack<S, N> held[kHeld];
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
      const Pack<float, N> values = in.wide(held[i], p);
#pragma unroll
      for (int j = 0; j < N; ++j) {
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(values.value[j]) & 0x7fffffffU;
        const bool counts = !CodeFormat<F>::kHasNan || bits < kInfinity;
        most = counts && bits > most ? bits : most;
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
      store_codes<F, N>(in.wide(held[i], p), inverse, out + row * in.cols + p * N);
    }
  }
}

/// With a scale per row of any length: one block per row, which reads it twice.
template <typename S, typename F, int N>
__global__ void quantize_rows_kernel(Source<S, N> in, float* scale, std::uint8_t* out) {
  const std::int64_t row = blockIdx.x, packs = in.packs();
  float most = 0.0F;
  for (std::int64_t p = threadIdx.x; p < packs; p += blockDim.x) {
    most = largest_of<F>(in.get(row, p), most);
  }
  const float s = code_scale(block_largest(most), CodeFormat<F>::kMax);
  if (threadIdx.x == 0) {
    scale[row] = s;
  }
  const float inverse = 1.0F / s;
  for (std::int64_t p = threadIdx.x; p < packs; p += blockDim.x) {
    store_codes<F, N>(in.get(row, p), inverse, out + row * in.cols + p * N);
  }
}

/// Codes in packed rows -> rows `stride` apart.
template <typename F, typename S, int N>
__global__ void dequantize_kernel(const F* in, const float* scale, bool by_row, std::int64_t rows,
                                  std::int64_t cols, S* out, std::int64_t stride) {
  const std::int64_t packs = cols / N;
  for (std::int64_t i = global_thread(); i < rows * packs; i += global_threads()) {
    const std::int64_t row = rows == 1 ? 0 : i / packs;
    const float s = scale[by_row ? row : 0];
    const Pack<F, N> codes = load_pack<N>(in + i * N);
    Pack<S, N> values;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const float value = load(&codes.value[j]) * s;
      values.value[j] = rounded<S>(value);
    }
    store_pack<N>(out + row * stride + (i - row * packs) * N, values);
  }
}

/// Whether rows of `v` can be accessed `n` elements at a time.
bool rows_in_packs(const View& v, std::int64_t cols, std::int64_t stride, std::int64_t n) {
  return cols % n == 0 && stride % n == 0 &&
         reinterpret_cast<std::uintptr_t>(v.data) %
                 (static_cast<std::size_t>(n) * dtype_size(v.dtype)) ==
             0;
}

/// Rows, columns and stride of a matrix, one long row if rows need no distinction.
struct Extents {
  std::int64_t rows, cols, stride;
};
Extents extents_of(const View& v, bool flat) {
  return flat ? Extents{1, v.count(), v.count()} : Extents{v.rows(), v.cols(), v.row_stride};
}

}  // namespace

void CudaKernels::quantize_codes(const View& in, const View& column_factor, const View& out,
                                 const View& scale, const View& delayed) {
  const bool by_row = scale.count() != 1;
  const Extents e = extents_of(in, in.contiguous() && !column_factor && !by_row);
  const auto run = [&]<typename S, typename F, int N>() {
    const Source<S, N> source{in.as<S>(), e.rows, e.cols, e.stride, column_factor.as<float>()};
    const std::int64_t packs = e.cols / N;
    auto* codes = out.as<std::uint8_t>();
    if (const int team = N > 1 && by_row ? team_for(packs) : 0; team > 0) {
      const int teams = std::max(1, kThreads / team);
      launch<quantize_held_rows_kernel<S, F, N>>(
          stream(), {dim3(static_cast<unsigned>(ceil_div(e.rows, teams))), teams * team, 0}, source,
          team, scale.as<float>(), codes);
      return;
    }
    if (by_row) {
      const auto threads =
          static_cast<int>(std::min<std::int64_t>(kThreads, ceil_div(packs, kWarp) * kWarp));
      launch<quantize_rows_kernel<S, F, N>>(stream(),
                                            {dim3(static_cast<unsigned>(e.rows)), threads, 0},
                                            source, scale.as<float>(), codes);
      return;
    }
    const Grid grid = grid_for(e.rows * packs, kThreads, kScalingBlocks);
    auto* partial = context_->scratch<float>(Scratch::partial, kScalingBlocks);
    launch<largest_kernel<S, F, N>>(stream(), grid, source, partial);
    launch<quantize_kernel<S, F, N>>(stream(), grid, source, partial,
                                     static_cast<int>(grid.blocks.x), scale.as<float>(),
                                     delayed.as<float>(), codes);
  };
  dispatch_codes(out.dtype, [&]<typename F>() {
    dispatch_narrow(in.dtype, [&]<typename S>() {
      constexpr int kN = kPack<S>;
      const bool factors = reinterpret_cast<std::uintptr_t>(column_factor.data) % 16 == 0;
      if (factors && rows_in_packs(in, e.cols, e.stride, kN) &&
          rows_in_packs(out, e.cols, e.cols, kN)) {
        run.template operator()<S, F, kN>();
      } else {
        run.template operator()<S, F, 1>();
      }
    });
  });
}

void CudaKernels::dequantize_codes(const View& in, const View& scale, const View& out) {
  const bool by_row = scale.count() != 1;
  const Extents e = extents_of(out, out.contiguous() && !by_row);
  dispatch_codes(in.dtype, [&]<typename F>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      const auto run = [&]<int N>() {
        launch<dequantize_kernel<F, S, N>>(stream(), grid_for(e.rows * (e.cols / N)), in.as<F>(),
                                           scale.as<float>(), by_row, e.rows, e.cols, out.as<S>(),
                                           e.stride);
      };
      constexpr int kN = kPack<S>;
      if (rows_in_packs(in, e.cols, e.cols, kN) && rows_in_packs(out, e.cols, e.stride, kN)) {
        run.template operator()<kN>();
      } else {
        run.template operator()<1>();
      }
    });
  });
}

}  // namespace mantissa::cuda
