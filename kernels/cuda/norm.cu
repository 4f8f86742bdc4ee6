#include "kernels/check_norm.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/column_sums.cuh"
#include "kernels/cuda/norm.cuh"

// LayerNorm (Ba et al., arXiv 1607.06450) and RMSNorm (Zhang & Sennrich, arXiv 1910.07467), which
// is LayerNorm about zero instead of the mean. A row is processed by a warp, or by a block if it is
// long. GroupNorm is in group_norm.cu.

namespace mantissa::cuda {

namespace {

/// Up to this many columns a warp processes a row; beyond, a block.
constexpr std::int64_t kWarpColumns = 2048;

/// Σ f(value, column) over a row, in all threads of its team.
template <int kTeam, int N, typename S, typename F>
__device__ accumulator_t<S> row_sum(const S* row, std::int64_t cols, F&& f) {
  using T = accumulator_t<S>;
  T sum = T(0);
  for (std::int64_t c = static_cast<int>(threadIdx.x) % kTeam * N; c < cols; c += kTeam * N) {
    T v[N];
    load_lanes<N>(row + c, v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      sum += f(v[i], c + i);
    }
  }
  return team_sum<kTeam>(sum);
}

/// LayerNorm or, not centred, RMSNorm.
template <typename S, int N, int kTeam, bool kCentered>
__global__ void row_norm_forward_kernel(Rows<S> x, Parameter<S> gamma, Parameter<S> beta,
                                        Rows<S> out, std::int64_t rows, std::int64_t cols,
                                        accumulator_t<S> eps, accumulator_t<S>* statistics) {
  using T = accumulator_t<S>;
  const std::int64_t row = global_thread() / kTeam;
  if (row >= rows) {
    return;  // whole warps; a block with one row stays
  }
  const S* from = x.at(row, 0);
  const T n = static_cast<T>(cols);
  T mean = T(0), rest = T(0);
  if constexpr (kCentered) {
    mean = row_sum<kTeam, N>(from, cols, [](T v, std::int64_t) { return v; }) / n;
    // The mean is rounded; its rounding error is measured and subtracted too.
    rest = row_sum<kTeam, N>(from, cols, [=](T v, std::int64_t) { return v - mean; }) / n;
  }
  const T square =
      row_sum<kTeam, N>(from, cols, [=](T v, std::int64_t) { return (v - mean) * (v - mean); }) / n;
  const T scale = T(1) / std::sqrt(square - rest * rest + eps);
  const T offset = -rest * scale;
  for (std::int64_t c = static_cast<int>(threadIdx.x) % kTeam * N; c < cols; c += kTeam * N) {
    T v[N];
    load_lanes<N>(from + c, v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      v[i] = std::fma(std::fma(v[i] - mean, scale, offset), gamma.at(c + i), beta.at(c + i));
    }
    store_lanes<N>(out.at(row, c), v);
  }
  if (static_cast<int>(threadIdx.x) % kTeam == 0) {
    statistics[2 * row] = mean + rest;
    statistics[2 * row + 1] = scale;
  }
}

template <typename S, int N, int kTeam, bool kCentered>
__global__ void row_norm_backward_kernel(Rows<S> d_out, Rows<S> x, Parameter<S> gamma, Rows<S> d_x,
                                         std::int64_t rows, std::int64_t cols,
                                         const accumulator_t<S>* statistics) {
  using T = accumulator_t<S>;
  const std::int64_t row = global_thread() / kTeam;
  if (row >= rows) {
    return;
  }
  const S* from = x.at(row, 0);
  const S* d_from = d_out.at(row, 0);
  const T mean = statistics[2 * row], scale = statistics[2 * row + 1];
  const T n = static_cast<T>(cols);
  T sum_d = T(0), sum_du = T(0);
  for (std::int64_t c = static_cast<int>(threadIdx.x) % kTeam * N; c < cols; c += kTeam * N) {
    T v[N], d[N];
    load_lanes<N>(from + c, v);
    load_lanes<N>(d_from + c, d);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T dg = d[i] * gamma.at(c + i);
      sum_d += dg;
      sum_du += dg * ((v[i] - mean) * scale);
    }
  }
  const T mean_d = kCentered ? team_sum<kTeam>(sum_d) / n : T(0);
  const T mean_du = team_sum<kTeam>(sum_du) / n;
  for (std::int64_t c = static_cast<int>(threadIdx.x) % kTeam * N; c < cols; c += kTeam * N) {
    T v[N], d[N];
    load_lanes<N>(from + c, v);
    load_lanes<N>(d_from + c, d);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T u = (v[i] - mean) * scale;
      d[i] = scale * (std::fma(d[i], gamma.at(c + i), -mean_d) - u * mean_du);
    }
    store_lanes<N>(d_x.at(row, c), d);
  }
}

/// Σ d and Σ d·x̂ of every column.
template <typename S, int N>
struct RowGradientSums {
  using T = accumulator_t<S>;
  Rows<S> d_out, x;
  const T* statistics;
  struct Columns {};
  __device__ Columns enter(std::int64_t, std::int64_t) const { return {}; }
  __device__ void add(Columns, std::int64_t row, std::int64_t column, T (&sum)[N],
                      T (&products)[N]) const {
    const T mean = statistics[2 * row], scale = statistics[2 * row + 1];
    T d[N], v[N];
    load_lanes<N>(d_out.at(row, column), d);
    load_lanes<N>(x.at(row, column), v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      sum[i] += d[i];
      products[i] = std::fma(d[i], (v[i] - mean) * scale, products[i]);
    }
  }
};

template <bool kCentered>
void run_row_norm(cudaStream_t stream, const View& x, const View& gamma, const View& beta,
                  const View& out, const View& statistics, float eps) {
  const std::int64_t rows = x.rows(), cols = x.cols();
  if (rows == 0) {
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    dispatch_pack<S>(in_packs<kPack<S>>(x) && in_packs<kPack<S>>(out), [&]<int N>() {
      const bool warps = cols <= kWarpColumns;
      launch(stream, block_each(warps ? ceil_div(rows, kThreads / kWarp) : rows),
             warps ? row_norm_forward_kernel<S, N, kWarp, kCentered>
                   : row_norm_forward_kernel<S, N, kThreads, kCentered>,
             rows_of<S>(x), Parameter<S>(gamma, T(1)), Parameter<S>(beta, T(0)), rows_of<S>(out),
             rows, cols, static_cast<T>(eps), statistics.as<T>());
    });
  });
}

template <bool kCentered>
void run_row_norm_backward(Context& context, const View& d_out, const View& x, const View& gamma,
                           const View& statistics, const View& d_x, const View& d_gamma,
                           const View& d_beta) {
  const std::int64_t rows = x.rows(), cols = x.cols();
  if (rows == 0) {
    return;
  }
  const cudaStream_t stream = context.stream();
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    constexpr int kWide = kPack<S>;
    const bool whole = in_packs<kWide>(x) && in_packs<kWide>(d_out) && in_packs<kWide>(d_x);
    dispatch_pack<S>(whole, [&]<int N>() {
      if (d_gamma || d_beta) {
        const Tiling t = tile_rows(1, rows, cols, N);
        T* sums = context.scratch<T>(Scratch::partial, t.pieces * 2 * cols);
        column_sums<N>(stream,
                       RowGradientSums<S, N>{rows_of<S>(d_out), rows_of<S>(x), statistics.as<T>()},
                       t, 1, sums);
        if (d_beta) {
          add_columns(stream, sums, t.pieces, cols, 0, d_beta.as<T>());
        }
        if (d_gamma) {
          add_columns(stream, sums, t.pieces, cols, 1, d_gamma.as<T>());
        }
      }
      const bool warps = cols <= kWarpColumns;
      launch(stream, block_each(warps ? ceil_div(rows, kThreads / kWarp) : rows),
             warps ? row_norm_backward_kernel<S, N, kWarp, kCentered>
                   : row_norm_backward_kernel<S, N, kThreads, kCentered>,
             rows_of<S>(d_out), rows_of<S>(x), Parameter<S>(gamma, T(1)), rows_of<S>(d_x), rows,
             cols, statistics.as<T>());
    });
  });
}

}  // namespace

void CudaKernels::layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                             const View& statistics, float eps) {
  check_row_norm(x, gamma, beta, out, statistics, "layer_norm");
  run_row_norm<true>(stream(), x, gamma, beta, out, statistics, eps);
}

void CudaKernels::layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                                      const View& statistics, const View& d_x, const View& d_gamma,
                                      const View& d_beta) {
  check_row_norm_backward(d_out, x, gamma, statistics, d_x, d_gamma, d_beta, "layer_norm_backward");
  run_row_norm_backward<true>(*context_, d_out, x, gamma, statistics, d_x, d_gamma, d_beta);
}

void CudaKernels::rms_norm(const View& x, const View& gamma, const View& out,
                           const View& statistics, float eps) {
  check_row_norm(x, gamma, {}, out, statistics, "rms_norm");
  run_row_norm<false>(stream(), x, gamma, {}, out, statistics, eps);
}

void CudaKernels::rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                                    const View& statistics, const View& d_x, const View& d_gamma) {
  check_row_norm_backward(d_out, x, gamma, statistics, d_x, d_gamma, {}, "rms_norm_backward");
  run_row_norm_backward<false>(*context_, d_out, x, gamma, statistics, d_x, d_gamma, {});
}

}  // namespace mantissa::cuda
