// Adapters: the scaling of channels by DoRA's factor and its backward, and dithered sums; see
// dora_norm.cu for the norms.
#include "kernels/check_dora.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/elements.cuh"
#include "kernels/dither.h"

namespace mantissa::cuda {
namespace {

/// The operands of one call, N neighbours at a time.
template <typename S, int N>
struct Channels {
  using T = accumulator_t<S>;
  using Wide = Pack<T, N>;
  Rows<const S> z, v, addend;
  const void* bias;  ///< of S or, with wide_bias, of T; may be absent
  bool wide_bias;
  const T* factor;  ///< absent if v is added unscaled

  static __device__ Wide wide(const S* p) {
    const Pack<S, N> stored = load_pack<N>(p);
    Wide result;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      result.value[j] = load(&stored.value[j]);
    }
    return result;
  }
  /// The value that the factor scales.
  __device__ Wide scaled(const Wide& from_z, std::int64_t row, std::int64_t col) const {
    if (v.data != nullptr) {
      return wide(v.at(row, col));
    }
    Wide x = from_z;
    if (bias != nullptr) {
      T less[N];
      if (wide_bias) {
        load_values<N>(static_cast<const T*>(bias) + col, less);
      } else {
        load_lanes<N>(static_cast<const S*>(bias) + col, less);
      }
#pragma unroll
      for (int j = 0; j < N; ++j) {
        x.value[j] -= less[j];
      }
    }
    if (addend.data != nullptr) {
      const Wide added = wide(addend.at(row, col));
#pragma unroll
      for (int j = 0; j < N; ++j) {
        x.value[j] -= added.value[j];
      }
    }
    return x;
  }
};

template <typename S, int N>
__device__ inline void store_wide(const Pack<accumulator_t<S>, N>& wide, S* to) {
  Pack<S, N> stored;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    stored.value[j] = rounded<S>(wide.value[j]);
  }
  store_pack<N>(to, stored);
}

template <typename S, int N>
__global__ void __launch_bounds__(kThreads, 6)
    scale_channels_kernel(Channels<S, N> in, std::int64_t rows, std::int64_t cols, Rows<S> out) {
  using T = accumulator_t<S>;
  for (PackWalk<> at(cols / N); at.row < rows; at.next()) {
    const std::int64_t row = at.row, col = at.pack * N;
    Pack<T, N> x = in.wide(in.z.at(row, col));
    const Pack<T, N> scaled = in.scaled(x, row, col);
    T factor[N] = {};
    if (in.factor != nullptr) {
      load_values<N>(in.factor + col, factor);
    }
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const T sum = in.factor == nullptr ? x.value[j] + scaled.value[j]
                                         : std::fma(factor[j] - T(1), scaled.value[j], x.value[j]);
      x.value[j] = dithered<S>(sum, static_cast<std::uint32_t>(row * cols + col + j));
    }
    store_wide<S, N>(x, out.at(row, col));
  }
}

/// Blocks of the kernel below that a multiprocessor must hold; for sm_120, three would spill.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
inline constexpr int kBackwardBlocks = 2;
#else
inline constexpr int kBackwardBlocks = 4;
#endif

/// out[c] = Σ sums[warp][c - begin] in the order of the warps.
template <int N, typename T>
__device__ inline void add_warps(const T (&sums)[kWarps][kWarp * N], std::int64_t begin,
                                 std::int64_t cols, T* out) {
  for (int i = static_cast<int>(threadIdx.x); i < kWarp * N && begin + i < cols; i += kThreads) {
    T total = sums[0][i];
    for (int w = 1; w < kWarps; ++w) {
      total += sums[w][i];
    }
    out[begin + i] = total;
  }
}

/// out[c] = Σ partial[piece][c] for the kWarp·N columns from `begin`: each warp adds every
/// kWarps-th piece, then their sums are added in the order of the warps.
template <int N, typename T>
__device__ inline void add_pieces(const T* partial, std::int64_t pieces, std::int64_t begin,
                                  std::int64_t cols, T (&sums)[kWarps][kWarp * N], T* out) {
  constexpr int kWide = N < kPack<T> ? N : kPack<T>;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  for (int at = lane * kWide; at < kWarp * N && begin + at < cols; at += kWarp * kWide) {
    T total[kWide] = {};
#pragma unroll 8  // the loads needn't wait for the sums
    for (std::int64_t piece = warp; piece < pieces; piece += kWarps) {
      T some[kWide];
      load_values<kWide>(partial + piece * cols + begin + at, some);
#pragma unroll
      for (int j = 0; j < kWide; ++j) {
        total[j] += some[j];
      }
    }
#pragma unroll
    for (int j = 0; j < kWide; ++j) {
      sums[warp][at + j] = total[j];
    }
  }
  __syncthreads();
  add_warps<N>(sums, begin, cols, out);
}

/// d_v, if needed, and partial[piece][c] = Σ d_out·v over `piece_rows` rows. A lane processes N
/// columns; the warps of a block alternate over the rows. The last of the blocks of the same
/// columns adds up their pieces; `done`, zero before and after, counts the others.
template <typename S, int N>
__global__ void __launch_bounds__(kThreads, kBackwardBlocks)
    scale_channels_backward_kernel(Rows<const S> d_out, Channels<S, N> in, std::int64_t rows,
                                   std::int64_t cols, std::int64_t piece_rows, Rows<S> d_v,
                                   accumulator_t<S>* partial, unsigned* done,
                                   accumulator_t<S>* d_factor) {
  using T = accumulator_t<S>;
  __shared__ T sums[kWarps][kWarp * N];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::int64_t col = (static_cast<std::int64_t>(blockIdx.y) * kWarp + lane) * N;
  const std::int64_t begin = blockIdx.x * piece_rows;
  const std::int64_t end = begin + piece_rows < rows ? begin + piece_rows : rows;
  const T less = in.v.data != nullptr ? T(1) : T(0);
  T sum[N] = {};
  std::int64_t row = begin + warp;
  const auto load_row = [&](std::int64_t at, Pack<S, N>& d, Pack<S, N>& z) {
    if (col < cols && at < end) {
      d = load_pack<N>(d_out.at(at, col));
      z = load_pack<N>(in.z.at(at, col));
    }
  };
  Pack<S, N> next_d, next_z;
  load_row(row, next_d, next_z);
#pragma unroll 1  // several rows at once would spill
  for (; col < cols && row < end; row += kWarps) {
    Pack<T, N> d = in.wide(&next_d.value[0]);
    const Pack<T, N> scaled = in.scaled(in.wide(&next_z.value[0]), row, col);
    load_row(row + kWarps, next_d, next_z);  // under way while this one is added
#pragma unroll
    for (int j = 0; j < N; ++j) {
      sum[j] = std::fma(d.value[j], scaled.value[j], sum[j]);
    }
    if (d_v.data != nullptr) {
      T factor[N];
      load_values<N>(in.factor + col, factor);
#pragma unroll
      for (int j = 0; j < N; ++j) {
        d.value[j] *= factor[j] - less;
      }
      store_wide<S, N>(d, d_v.at(row, col));
    }
  }
#pragma unroll
  for (int j = 0; j < N; ++j) {
    sums[warp][lane * N + j] = sum[j];
  }
  __syncthreads();
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * kWarp * N;
  add_warps<N>(sums, first, cols, partial + blockIdx.x * cols);
  __shared__ bool last;
  __threadfence();  // this block's piece is visible before it is counted
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(&done[blockIdx.y], 1U) + 1 == gridDim.x;
  }
  __syncthreads();
  if (last) {
    __threadfence();
    add_pieces<N>(partial, gridDim.x, first, cols, sums, d_factor);
    if (threadIdx.x == 0) {
      atomicExch(&done[blockIdx.y], 0U);
    }
  }
}

/// Whether all present `views` can be accessed `n` columns at a time, and the `vectors` 16 bytes at
/// a time.
bool all_in_packs(std::initializer_list<const View*> views,
                  std::initializer_list<const View*> vectors, std::int64_t n) {
  for (const View* v : vectors) {
    if (reinterpret_cast<std::uintptr_t>(v->data) % 16 != 0) {
      return false;
    }
  }
  for (const View* v : views) {
    const std::size_t bytes = static_cast<std::size_t>(n) * dtype_size(v->dtype);
    if (*v && (v->cols() % n != 0 || v->row_stride % n != 0 ||
               reinterpret_cast<std::uintptr_t>(v->data) % bytes != 0)) {
      return false;
    }
  }
  return true;
}

template <typename S, int N>
Channels<S, N> channels_of(const View& z, const View& v, const View& bias, const View& addend,
                           const View& factor) {
  return {rows_of<const S>(z),        rows_of<const S>(v),
          rows_of<const S>(addend),   bias.data,
          bias.dtype == factor.dtype, factor ? factor.as<accumulator_t<S>>() : nullptr};
}

/// Calls f<S, N>() with the widest access that `views` allow.
template <typename F>
void dispatch_packs(DType dtype, std::initializer_list<const View*> views,
                    std::initializer_list<const View*> vectors, F&& f) {
  dispatch_float(dtype, [&]<typename S>() {
    if (all_in_packs(views, vectors, kPack<S>)) {
      f.template operator()<S, kPack<S>>();
    } else {
      f.template operator()<S, 1>();
    }
  });
}

}  // namespace

void CudaKernels::scale_channels(const View& z, const View& v, const View& bias, const View& addend,
                                 const View& factor, const View& out) {
  check_channels(z, v, bias, addend, factor, "scale_channels");
  check_like(out, z, "scale_channels", "out");
  if (z.count() == 0) {
    return;
  }
  dispatch_packs(z.dtype, {&z, &v, &addend, &out}, {&bias, &factor}, [&]<typename S, int N>() {
    launch<scale_channels_kernel<S, N>>(stream(), grid_for(z.count() / N),
                                        channels_of<S, N>(z, v, bias, addend, factor), z.rows(),
                                        z.cols(), rows_of<S>(out));
  });
}

void CudaKernels::scale_channels_backward(const View& d_out, const View& z, const View& v,
                                          const View& bias, const View& addend, const View& factor,
                                          const View& d_v, const View& d_factor) {
  check_scale_channels_backward(d_out, z, v, bias, addend, factor, d_v, d_factor);
  // Enough pieces to fill a card, few enough to sum.
  constexpr std::int64_t kLeastRows = 48, kMostPieces = 160;
  const std::int64_t rows = z.rows(), cols = z.cols();
  const std::int64_t piece_rows = std::max(kLeastRows, ceil_div(rows, kMostPieces));
  const std::int64_t pieces = ceil_div(rows, piece_rows);
  if (cols == 0) {
    return;
  }
  if (rows == 0) {
    fill(d_factor, 0.0F);
    return;
  }
  dispatch_packs(z.dtype, {&d_out, &z, &v, &addend, &d_v}, {&bias, &factor},
                 [&]<typename S, int N>() {
                   using T = accumulator_t<S>;
                   T* partial = context_->scratch<T>(Scratch::partial, pieces * cols);
                   const std::int64_t slabs = ceil_div(cols, kWarp * N);
                   const dim3 blocks(static_cast<unsigned>(pieces), static_cast<unsigned>(slabs));
                   launch<scale_channels_backward_kernel<S, N>>(
                       stream(), {blocks, kThreads, 0}, rows_of<const S>(d_out),
                       channels_of<S, N>(z, v, bias, addend, factor), rows, cols, piece_rows,
                       rows_of<S>(d_v), partial, context_->counters(slabs), d_factor.as<T>());
                 });
}

}  // namespace mantissa::cuda
