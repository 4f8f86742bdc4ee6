#include "kernels/check_norm.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/column_sums.cuh"
#include "kernels/cuda/elements.cuh"
#include "kernels/cuda/norm.cuh"

// LayerNorm (Ba et al., arXiv 1607.06450) and RMSNorm (Zhang & Sennrich, arXiv 1910.07467), which
// is LayerNorm about zero instead of the mean. A team of threads processes a row: a warp if it has
// a lane for each pack (the heads of attention), else a block, which keeps the row in registers if
// it has a thread for each pack. GroupNorm is in group_norm.cu.

namespace mantissa::cuda {

namespace {

/// Threads of the largest block that keeps a row in registers.
constexpr int kMostThreads = 512;
/// Rows of a block whose warps process one each.
constexpr int kWarpRows = kThreads / kWarp;

/// The row of this thread's team, a warp or a block.
template <int kTeam>
__device__ std::int64_t team_row() {
  return kTeam == kWarp ? static_cast<std::int64_t>(blockIdx.x) * kWarpRows + threadIdx.x / kWarp
                        : blockIdx.x;
}

/// A row of [rows, cols] as its team reads it: once if kHeld, one pack per thread, else in every
/// pass.
template <typename S, int N, int kTeam, bool kHeld>
struct TeamRow {
  using T = accumulator_t<S>;
  const S* data;
  std::int64_t cols;
  Pack<S, N> held;

  __device__ TeamRow(const S* row, std::int64_t count) : data(row), cols(count) {
    if constexpr (kHeld) {
      each_pack([&](std::int64_t c) { held = load_pack<N>(data + c); });
    }
  }
  /// This thread's number in its team.
  static __device__ int member() {
    const int thread = static_cast<int>(threadIdx.x);
    return kTeam == kWarp ? thread % kWarp : thread;
  }
  /// Calls f(first column) for the packs of this thread.
  template <typename F>
  __device__ void each_pack(F&& f) const {
    const int first = member() * N;
    if constexpr (kHeld) {
      if (first < static_cast<int>(cols)) {
        f(first);
      }
    } else {
#pragma unroll 1
      for (std::int64_t c = first; c < cols; c += static_cast<int>(blockDim.x) * N) {
        f(c);
      }
    }
  }
  __device__ void lanes(std::int64_t c, T (&to)[N]) const {
    const Pack<S, N> pack = kHeld ? held : load_pack<N>(data + c);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      to[k] = load(&pack.value[k]);
    }
  }
};

/// gamma plus `offset`, or 1 if it is absent.
template <typename S, bool kCentered>
struct RowFactor {
  using T = accumulator_t<S>;
  Parameter<S> gamma;
  T offset;

  RowFactor(const View& v, bool unit_offset)
      : gamma(v, T(1)), offset(v && unit_offset ? T(1) : T(0)) {}
  template <int N>
  __device__ void lanes(std::int64_t c, T (&to)[N]) const {
    gamma.lanes(c, to);
    if constexpr (!kCentered) {  // LayerNorm's are stored as they are: five warps more on sm_89
#pragma unroll
      for (int i = 0; i < N; ++i) {
        to[i] += offset;
      }
    }
  }
};

/// Mean, its rounding error, and 1/σ; about zero if not centred.
template <typename T>
struct RowStatistics {
  T mean, rest, scale;
};
template <bool kCentered, typename S, int N, int kTeam, bool kHeld, typename T = accumulator_t<S>>
__device__ RowStatistics<T> row_statistics(const TeamRow<S, N, kTeam, kHeld>& row, T eps) {
  const T n = static_cast<T>(row.cols);
  T mean = T(0), v[N];
  if constexpr (kCentered) {
    T sum[1] = {};
    row.each_pack([&](std::int64_t c) {
      row.lanes(c, v);
#pragma unroll
      for (int i = 0; i < N; ++i) {
        sum[0] += v[i];
      }
    });
    team_sums<kTeam>(sum);
    mean = sum[0] / n;
  }
  T sums[2] = {};  // of x - mean and its square
  row.each_pack([&](std::int64_t c) {
    row.lanes(c, v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T off = v[i] - mean;
      sums[0] += off;
      sums[1] += off * off;
    }
  });
  team_sums<kTeam>(sums);
  const T rest = kCentered ? sums[0] / n : T(0);
  return {mean, rest, T(1) / std::sqrt(sums[1] / n - rest * rest + eps)};
}

/// LayerNorm or, not centred, RMSNorm.
template <typename S, int N, int kTeam, bool kHeld, bool kCentered>
__global__ void __launch_bounds__(kMostThreads)
    row_norm_forward_kernel(Rows<S> x, RowFactor<S, kCentered> gamma, Parameter<S> beta,
                            Rows<S> out, Extent extent, accumulator_t<S> eps,
                            accumulator_t<S>* statistics) {
  using T = accumulator_t<S>;
  const std::int64_t row = team_row<kTeam>();
  if (row >= extent.rows) {
    return;  // whole warps
  }
  const TeamRow<S, N, kTeam, kHeld> from(x.at(row, 0), extent.cols);
  const RowStatistics<T> s = row_statistics<kCentered>(from, eps);
  const T offset = -s.rest * s.scale;
  from.each_pack([&](std::int64_t c) {
    T v[N], g[N], b[N];
    from.lanes(c, v);
    gamma.lanes(c, g);
    beta.lanes(c, b);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      v[i] = std::fma(std::fma(v[i] - s.mean, s.scale, offset), g[i], b[i]);
    }
    store_lanes<N>(out.at(row, c), v);
  });
  if (from.member() == 0) {
    statistics[2 * row] = s.mean + s.rest;
    statistics[2 * row + 1] = s.scale;
  }
}

/// d_x, plus `addend` unless that is absent.
template <typename S, int N, int kTeam, bool kHeld, bool kCentered>
__global__ void __launch_bounds__(kMostThreads)
    row_norm_backward_kernel(Rows<S> d_out, Rows<S> x, RowFactor<S, kCentered> gamma,
                             Rows<S> addend, Rows<S> d_x, Extent extent,
                             const accumulator_t<S>* statistics) {
  using T = accumulator_t<S>;
  const std::int64_t row = team_row<kTeam>();
  if (row >= extent.rows) {
    return;
  }
  const TeamRow<S, N, kTeam, kHeld> from(x.at(row, 0), extent.cols);
  const TeamRow<S, N, kTeam, kHeld> d_from(d_out.at(row, 0), extent.cols);
  const T mean = statistics[2 * row], scale = statistics[2 * row + 1];
  T v[N], d[N], g[N];
  T sums[2] = {};  // of d·gamma, and of that times x̂
  from.each_pack([&](std::int64_t c) {
    from.lanes(c, v);
    d_from.lanes(c, d);
    gamma.lanes(c, g);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T dg = d[i] * g[i];
      sums[0] += dg;
      sums[1] += dg * ((v[i] - mean) * scale);
    }
  });
  team_sums<kTeam>(sums);
  const T n = static_cast<T>(extent.cols);
  const T mean_d = kCentered ? sums[0] / n : T(0), mean_du = sums[1] / n;
  from.each_pack([&](std::int64_t c) {
    T added[N] = {};
    from.lanes(c, v);
    d_from.lanes(c, d);
    gamma.lanes(c, g);
    if (addend.data != nullptr) {
      load_lanes<N>(addend.at(row, c), added);
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T u = (v[i] - mean) * scale;
      d[i] = added[i] + scale * (std::fma(d[i], g[i], -mean_d) - u * mean_du);
    }
    store_lanes<N>(d_x.at(row, c), d);
  });
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

/// Calls f<N, kTeam, kHeld>(grid) for rows of S; `whole` if they can be accessed in packs.
template <typename S, typename F>
void dispatch_row(bool whole, const Extent& extent, F&& f) {
  dispatch_pack<S>(whole, [&]<int N>() {
    const std::int64_t packs = ceil_div(extent.cols, N);
    if (packs <= kWarp) {
      f.template operator()<N, kWarp, true>(block_each(ceil_div(extent.rows, kWarpRows)));
      return;
    }
    Grid grid = block_each(extent.rows);
    if (packs <= kMostThreads) {
      grid.threads = static_cast<int>(ceil_div(packs, kWarp) * kWarp);
      f.template operator()<N, kMostThreads, true>(grid);
    } else {
      f.template operator()<N, kMostThreads, false>(grid);
    }
  });
}

template <bool kCentered>
void run_row_norm(cudaStream_t stream, const View& x, const View& gamma, const View& beta,
                  const View& out, const View& statistics, float eps, bool unit_offset) {
  const Extent extent{x.rows(), x.cols()};
  if (extent.rows == 0) {
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const bool whole = in_packs<kPack<S>>(x) && in_packs<kPack<S>>(out) &&
                       parameter_in_packs(gamma) && parameter_in_packs(beta);
    const RowFactor<S, kCentered> factor(gamma, unit_offset);
    dispatch_row<S>(whole, extent, [&]<int N, int kTeam, bool kHeld>(const Grid& grid) {
      launch<row_norm_forward_kernel<S, N, kTeam, kHeld, kCentered>>(
          stream, grid, rows_of<S>(x), factor, Parameter<S>(beta, T(0)), rows_of<S>(out), extent,
          static_cast<T>(eps), statistics.as<T>());
    });
  });
}

/// d_gamma and d_beta, if present.
template <typename S>
void add_parameter_gradients(Context& context, const View& d_out, const View& x,
                             const View& statistics, const View& d_gamma, const View& d_beta) {
  using T = accumulator_t<S>;
  const std::int64_t rows = x.rows(), cols = x.cols();
  dispatch_pack<S>(in_packs<kPack<S>>(x) && in_packs<kPack<S>>(d_out), [&]<int N>() {
    const Tiling t = tile_rows(1, rows, cols, N);
    T* sums = context.scratch<T>(Scratch::partial, t.pieces * 2 * cols);
    column_sums<N>(context.stream(),
                   RowGradientSums<S, N>{rows_of<S>(d_out), rows_of<S>(x), statistics.as<T>()}, t,
                   1, sums);
    if (d_beta) {
      add_columns(context.stream(), sums, t.pieces, cols, 0, d_beta.as<T>());
    }
    if (d_gamma) {
      add_columns(context.stream(), sums, t.pieces, cols, 1, d_gamma.as<T>());
    }
  });
}

template <bool kCentered>
void run_row_norm_backward(Context& context, const View& d_out, const View& x, const View& gamma,
                           const View& statistics, const View& addend, const View& d_x,
                           const View& d_gamma, const View& d_beta, bool unit_offset) {
  const Extent extent{x.rows(), x.cols()};
  if (extent.rows == 0) {
    return;
  }
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    if (d_gamma || d_beta) {
      add_parameter_gradients<S>(context, d_out, x, statistics, d_gamma, d_beta);
    }
    constexpr int kWide = kPack<S>;
    const bool whole = in_packs<kWide>(x) && in_packs<kWide>(d_out) && in_packs<kWide>(d_x) &&
                       (!addend || in_packs<kWide>(addend)) && parameter_in_packs(gamma);
    const RowFactor<S, kCentered> factor(gamma, unit_offset);
    dispatch_row<S>(whole, extent, [&]<int N, int kTeam, bool kHeld>(const Grid& grid) {
      launch<row_norm_backward_kernel<S, N, kTeam, kHeld, kCentered>>(
          context.stream(), grid, rows_of<S>(d_out), rows_of<S>(x), factor, rows_of<S>(addend),
          rows_of<S>(d_x), extent, statistics.as<T>());
    });
  });
}

}  // namespace

void CudaKernels::layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                             const View& statistics, float eps) {
  check_row_norm(x, gamma, beta, out, statistics, "layer_norm");
  run_row_norm<true>(stream(), x, gamma, beta, out, statistics, eps, false);
}

void CudaKernels::layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                                      const View& statistics, const View& addend, const View& d_x,
                                      const View& d_gamma, const View& d_beta) {
  check_row_norm_backward(d_out, x, gamma, statistics, addend, d_x, d_gamma, d_beta,
                          "layer_norm_backward");
  run_row_norm_backward<true>(*context_, d_out, x, gamma, statistics, addend, d_x, d_gamma, d_beta,
                              false);
}

void CudaKernels::rms_norm(const View& x, const View& gamma, const View& out,
                           const View& statistics, float eps, bool unit_offset) {
  check_row_norm(x, gamma, {}, out, statistics, "rms_norm");
  run_row_norm<false>(stream(), x, gamma, {}, out, statistics, eps, unit_offset);
}

void CudaKernels::rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                                    const View& statistics, const View& d_x, const View& d_gamma,
                                    bool unit_offset) {
  check_row_norm_backward(d_out, x, gamma, statistics, {}, d_x, d_gamma, {}, "rms_norm_backward");
  run_row_norm_backward<false>(*context_, d_out, x, gamma, statistics, {}, d_x, d_gamma, {},
                               unit_offset);
}

}  // namespace mantissa::cuda
