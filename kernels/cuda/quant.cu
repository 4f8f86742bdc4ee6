// Codes and their scales.
#include "kernels/check_quant.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/device.cuh"
#include "kernels/weight_codes.h"

namespace mantissa::cuda {
namespace {

/// Blocks that search for the largest value; each encoding block reads all their results.
constexpr std::int64_t kLargestBlocks = 1024;

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
  /// Pack p of `row`, in fp32.
  __device__ Pack<float, N> get(std::int64_t row, std::int64_t p) const {
    return widened(stored(row, p), p);
  }
  __device__ Pack<float, N> widened(const Pack<S, N>& stored, std::int64_t p) const {
    Pack<float, N> wide;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      wide.value[j] = load(&stored.value[j]);
      wide.value[j] *= factor != nullptr ? factor[p * N + j] : 1.0F;
    }
    return wide;
  }
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
template <typename F, int N>
__device__ inline void store_codes(const Pack<float, N>& pack, float inverse, std::uint8_t* out) {
  Pack<std::uint8_t, N> codes;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    codes.value[j] = encode<F>(pack.value[j] * inverse);
  }
  store_pack<N>(out, codes);
}

/// f(pack, its place in its row, its number) for every pack of `in`; a thread loads kAhead of them
/// before it uses the first.
template <typename S, int N, typename Use>
__device__ inline void for_each_pack(const Source<S, N>& in, Use&& use) {
  constexpr int kAhead = 4;
  const std::int64_t packs = in.packs(), all = in.rows * packs, step = global_threads();
  for (std::int64_t first = global_thread(); first < all; first += kAhead * step) {
    Pack<S, N> stored[kAhead];
    std::int64_t place[kAhead];
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const std::int64_t i = first + j * step;
      if (i < all) {
        const std::int64_t row = in.rows == 1 ? 0 : i / packs;
        place[j] = i - row * packs;
        stored[j] = in.stored(row, place[j]);
      }
    }
#pragma unroll
    for (int j = 0; j < kAhead; ++j) {
      const std::int64_t i = first + j * step;
      if (i < all) {
        use(in.widened(stored[j], place[j]), i);
      }
    }
  }
}

template <typename S, typename F, int N>
__global__ void largest_kernel(Source<S, N> in, float* partial) {
  float most = 0.0F;
  for_each_pack(in, [&](const Pack<float, N>& pack, std::int64_t) {
    most = largest_of<F>(pack, most);
  });
  most = block_largest(most);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = most;
  }
}

/// With one scale: each block computes it from the partial results, the first one stores it.
template <typename S, typename F, int N>
__global__ void quantize_kernel(Source<S, N> in, const float* partial, int partials, float* scale,
                                float* delayed, std::uint8_t* out) {
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
  for_each_pack(in, [&](const Pack<float, N>& pack, std::int64_t i) {
    store_codes<F, N>(pack, inverse, out + i * N);
  });
}

/// Packs of a row that a thread of quantize_held_rows_kernel holds.
constexpr int kHeld = 5;

/// With a scale per row: a team, a warp or a block, for each row, which it reads once.
template <typename S, typename F, int N, int kTeam>
__global__ void __launch_bounds__(kThreads)
    quantize_held_rows_kernel(Source<S, N> in, float* scale, std::uint8_t* out) {
  const std::int64_t row = global_thread() / kTeam, packs = in.packs();
  if (row >= in.rows) {  // with all of its team
    return;
  }
  const int member = static_cast<int>(threadIdx.x) % kTeam;
  Pack<S, N> held[kHeld];
  float most = 0.0F;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int p = member + i * kTeam;
    if (p < packs) {
      held[i] = in.stored(row, p);
    }
  }
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int p = member + i * kTeam;
    if (p < packs) {
      most = largest_of<F>(in.widened(held[i], p), most);
    }
  }
  most = team_reduce<kTeam>(most, 0.0F, max_nan);
  const float s = code_scale(most, CodeFormat<F>::kMax);
  if (member == 0) {
    scale[row] = s;
  }
  const float inverse = 1.0F / s;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int p = member + i * kTeam;
    if (p < packs) {
      store_codes<F, N>(in.widened(held[i], p), inverse, out + row * in.cols + p * N);
    }
  }
}

/// The same for longer rows: one block per row, which reads it twice.
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
bool in_packs(const View& v, std::int64_t cols, std::int64_t stride, std::int64_t n) {
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

void CudaKernels::quantize(const View& in, const View& column_factor, const View& out,
                           const View& scale, const View& delayed) {
  check_quantize(in, column_factor, out, scale, delayed);
  if (in.count() == 0) {
    return;
  }
  if (is_nf4(out.dtype)) {
    quantize_nf4(in, out);
    return;
  }
  if (is_blocked(out.dtype)) {
    quantize_blocks(in, out);
    return;
  }
  if (out.dtype == DType::i8_rotated) {
    quantize_rotated(in, out, scale);
    return;
  }
  const bool by_row = scale.count() != 1;
  const Extents e = extents_of(in, in.contiguous() && !column_factor && !by_row);
  const auto run = [&]<typename S, typename F, int N>() {
    const Source<S, N> source{in.as<S>(), e.rows, e.cols, e.stride, column_factor.as<float>()};
    const std::int64_t packs = e.cols / N;
    auto* codes = out.as<std::uint8_t>();
    if (by_row) {
      const auto of_rows = [&]<auto kKernel>(int team) {
        const auto blocks = static_cast<unsigned>(ceil_div(e.rows, kThreads / team));
        launch<kKernel>(stream(), {dim3(blocks), kThreads, 0}, source, scale.as<float>(), codes);
      };
      if (packs <= kHeld * kWarp) {
        of_rows.template operator()<quantize_held_rows_kernel<S, F, N, kWarp>>(kWarp);
      } else if (packs <= kHeld * kThreads) {
        of_rows.template operator()<quantize_held_rows_kernel<S, F, N, kThreads>>(kThreads);
      } else {
        of_rows.template operator()<quantize_rows_kernel<S, F, N>>(kThreads);
      }
      return;
    }
    const Grid grid = grid_for(e.rows * packs, kThreads, kLargestBlocks);
    auto* partial = context_->scratch<float>(Scratch::partial, kLargestBlocks);
    launch<largest_kernel<S, F, N>>(stream(), grid, source, partial);
    launch<quantize_kernel<S, F, N>>(stream(), grid_for(e.rows * packs), source, partial,
                                     static_cast<int>(grid.blocks.x), scale.as<float>(),
                                     delayed.as<float>(), codes);
  };
  dispatch_codes(out.dtype, [&]<typename F>() {
    dispatch_narrow(in.dtype, [&]<typename S>() {
      constexpr int kN = kPack<S>;
      if (in_packs(in, e.cols, e.stride, kN) && in_packs(out, e.cols, e.cols, kN)) {
        run.template operator()<S, F, kN>();
      } else {
        run.template operator()<S, F, 1>();
      }
    });
  });
}

void CudaKernels::dequantize(const View& in, const View& scale, const View& out) {
  check_dequantize(in, scale, out);
  if (in.count() == 0) {
    return;
  }
  if (is_nf4(in.dtype)) {
    dequantize_nf4(in, out);
    return;
  }
  if (is_blocked(in.dtype)) {
    dequantize_blocks(in, out);
    return;
  }
  if (in.dtype == DType::i8_rotated) {
    dequantize_rotated(in, scale, out);
    return;
  }
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
      if (in_packs(in, e.cols, e.cols, kN) && in_packs(out, e.cols, e.stride, kN)) {
        run.template operator()<kN>();
      } else {
        run.template operator()<1>();
      }
    });
  });
}

}  // namespace mantissa::cuda
