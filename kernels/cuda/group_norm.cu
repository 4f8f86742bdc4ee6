#include "kernels/check_norm.h"
#include "kernels/cuda/backend.h"
#include "kernels/cuda/column_sums.cuh"
#include "kernels/cuda/norm.cuh"

// GroupNorm (Wu & He, arXiv 1803.08494) over NHWC in three launches: sums of each channel over
// pieces of rows, shifted by the sample's first row so that a large mean costs no precision; one
// block per group that sums them in double; and one pass that writes.

namespace mantissa::cuda {

namespace {

/// d·d(silu(y))/dy.
template <typename S>
__device__ accumulator_t<S> silu_gradient(accumulator_t<S> d, accumulator_t<S> y) {
  using T = accumulator_t<S>;
  const T s = sigmoid_for<S>(y);
  return d * std::fma(y, s * (T(1) - s), s);
}

/// Σ (x - first row) and Σ (x - first row)².
template <typename S, int N>
struct ShiftedSums {
  using T = accumulator_t<S>;
  Rows<S> x;
  std::int64_t rows;  ///< of a sample
  struct Columns {
    T shift[N];
  };
  __device__ Columns enter(std::int64_t sample, std::int64_t column) const {
    Columns c;
    load_lanes<N>(x.at(sample * rows, column), c.shift);
    return c;
  }
  __device__ void add(const Columns& c, std::int64_t row, std::int64_t column, T (&sum)[N],
                      T (&squares)[N]) const {
    T v[N];
    load_lanes<N>(x.at(row, column), v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T d = v[i] - c.shift[i];
      sum[i] += d;
      squares[i] = std::fma(d, d, squares[i]);
    }
  }
};

/// Statistics of group blockIdx.x from ShiftedSums, and coefficients [batch, 3, cols] of its
/// channels: the rounded mean, the slope and the offset.
template <typename S>
__global__ void group_statistics_kernel(Rows<S> x, Tiling t, int groups,
                                        const accumulator_t<S>* sums, Parameter<S> gamma,
                                        Parameter<S> beta, double eps, accumulator_t<S>* statistics,
                                        accumulator_t<S>* coefficients) {
  using T = accumulator_t<S>;
  const std::int64_t sample = blockIdx.x / groups;
  const int width = static_cast<int>(t.cols / groups);
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x % groups) * width;
  const int items = width * static_cast<int>(t.pieces);
  const S* first = x.at(sample * t.rows, column);
  const T* from = sums + sample * t.pieces * 2 * t.cols + column;
  const auto n = static_cast<double>(t.rows);
  double mean = 0;
  for (int i = static_cast<int>(threadIdx.x); i < items; i += static_cast<int>(blockDim.x)) {
    const int c = i % width, piece = i / width;
    mean += static_cast<double>(from[piece * 2 * t.cols + c]);
    mean += piece == 0 ? n * static_cast<double>(load(first + c)) : 0.0;
  }
  mean = block_sum(mean) / (n * width);  // once: a GeForce card divides doubles slowly
  double square = 0;
  for (int i = static_cast<int>(threadIdx.x); i < items; i += static_cast<int>(blockDim.x)) {
    const int c = i % width, piece = i / width;
    const double off = mean - static_cast<double>(load(first + c));
    const T* sum = from + piece * 2 * t.cols + c;
    square += static_cast<double>(sum[t.cols]) - 2 * off * static_cast<double>(sum[0]);
    square += piece == 0 ? n * off * off : 0.0;
  }
  // max(0, …) in the operand order that propagates NaN.
  const double variance = block_sum(square) / (n * width);
  const double scale = 1 / std::sqrt((variance < 0 ? 0.0 : variance) + eps);
  const T saved = static_cast<T>(mean);
  if (threadIdx.x == 0) {
    statistics[std::int64_t{2} * blockIdx.x] = saved;
    statistics[std::int64_t{2} * blockIdx.x + 1] = static_cast<T>(scale);
  }
  const double rest = mean - static_cast<double>(saved);
  T* to = coefficients + sample * 3 * t.cols + column;
  for (int c = static_cast<int>(threadIdx.x); c < width; c += static_cast<int>(blockDim.x)) {
    const double slope = scale * static_cast<double>(gamma.at(column + c));
    to[c] = saved;
    to[t.cols + c] = static_cast<T>(slope);
    to[2 * t.cols + c] = static_cast<T>(static_cast<double>(beta.at(column + c)) - rest * slope);
  }
}

template <typename S, int N, bool kSilu>
__global__ void __launch_bounds__(kThreads, 5)
    group_norm_forward_kernel(Rows<S> x, Rows<S> out, Tiling t,
                              const accumulator_t<S>* coefficients) {
  using T = accumulator_t<S>;
  const TilePlace at(t, N);
  if (!at.inside) {
    return;
  }
  const T* from = coefficients + at.sample * 3 * t.cols + at.column;
  T mean[N], slope[N], offset[N];
  load_values<N>(from, mean);
  load_values<N>(from + t.cols, slope);
  load_values<N>(from + 2 * t.cols, offset);
  std::int64_t row = at.row;
  for (int left = at.left; left > 0; left -= t.down, row += t.down) {
    T v[N];
    load_lanes<N>(x.at(row, at.column), v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T y = std::fma(v[i] - mean[i], slope[i], offset[i]);
      v[i] = kSilu ? y * sigmoid_for<S>(y) : y;
    }
    store_lanes<N>(out.at(row, at.column), v);
  }
}

/// Calls f(lane, group) with the group of each of N columns.
template <int N, typename F>
__device__ void each_group(std::int64_t first_group, std::int64_t column, int width, F&& f) {
  const int before = static_cast<int>(column) / width;
  int within = static_cast<int>(column) - before * width;
  std::int64_t group = first_group + before;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    f(i, group);
    const bool last = ++within == width;
    within = last ? 0 : within;
    group += last ? 1 : 0;
  }
}

/// (mean, 1/σ) of a group, or the two means of its gradient.
template <typename T>
__device__ Pack<T, 2> group_pair(const T* pairs, std::int64_t group) {
  return load_pack<2>(pairs + 2 * group);
}

/// Per-sample data of N channels for the sums of GroupNorm's gradient: the value before the
/// activation is slope·(x - mean) + beta.
template <typename T, int N>
struct GroupChannels {
  T mean[N], slope[N], beta[N];
};

/// Σ d and Σ d·x̂, d the gradient before the activation.
template <typename S, int N, bool kSilu>
struct GradientSums {
  using T = accumulator_t<S>;
  Rows<S> d_out, x;
  const T* statistics;
  Parameter<S> gamma, beta;
  int groups, width;

  __device__ GroupChannels<T, N> enter(std::int64_t sample, std::int64_t column) const {
    GroupChannels<T, N> c;
    gamma.lanes(column, c.slope);
    if constexpr (kSilu) {
      beta.lanes(column, c.beta);
    }
    each_group<N>(sample * groups, column, width, [&](int i, std::int64_t group) {
      const Pack<T, 2> saved = group_pair(statistics, group);
      c.mean[i] = saved.value[0];
      c.slope[i] *= saved.value[1];
    });
    return c;
  }
  __device__ void add(const GroupChannels<T, N>& c, std::int64_t row, std::int64_t column,
                      T (&sum)[N], T (&products)[N]) const {
    T d[N], v[N];
    load_lanes<N>(d_out.at(row, column), d);
    load_lanes<N>(x.at(row, column), v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      v[i] -= c.mean[i];
      if constexpr (kSilu) {
        d[i] = silu_gradient<S>(d[i], std::fma(v[i], c.slope[i], c.beta[i]));
      }
      sum[i] += d[i];
      products[i] = std::fma(d[i], v[i], products[i]);
    }
  }
  /// 1/σ, for the sum of products with x - mean.
  __device__ T factor(std::int64_t sample, std::int64_t column) const {
    const int group = static_cast<int>(column) / width;
    return group_pair(statistics, sample * groups + group).value[1];
  }
};

/// means[group] = the means of γ·d and γ·d·x̂ over group blockIdx.x.
template <typename S>
__global__ void group_gradient_kernel(Tiling t, int groups, const accumulator_t<S>* sums,
                                      Parameter<S> gamma, accumulator_t<S>* means) {
  using T = accumulator_t<S>;
  const std::int64_t sample = blockIdx.x / groups;
  const int width = static_cast<int>(t.cols / groups);
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x % groups) * width;
  const int items = width * static_cast<int>(t.pieces);
  const T* from = sums + sample * t.pieces * 2 * t.cols + column;
  double mean = 0, product = 0;
  for (int i = static_cast<int>(threadIdx.x); i < items; i += static_cast<int>(blockDim.x)) {
    const int c = i % width, piece = i / width;
    const auto g = static_cast<double>(gamma.at(column + c));
    mean += g * static_cast<double>(from[piece * 2 * t.cols + c]);
    product += g * static_cast<double>(from[(piece * 2 + 1) * t.cols + c]);
  }
  mean = block_sum(mean);
  product = block_sum(product);
  if (threadIdx.x == 0) {
    const double n = static_cast<double>(t.rows) * width;
    means[std::int64_t{2} * blockIdx.x] = static_cast<T>(mean / n);
    means[std::int64_t{2} * blockIdx.x + 1] = static_cast<T>(product / n);
  }
}

/// Columns per thread in the backward pass: six values are held per column, so with half a pack
/// twice as many warps fit on a multiprocessor.
template <int N>
inline constexpr int kBackwardLanes = N < 4 ? N : N / 2;

template <typename S, int N, bool kSilu>
__global__ void __launch_bounds__(kThreads, 5)
    group_norm_backward_kernel(GradientSums<S, N, kSilu> in, Rows<S> d_x, Tiling t,
                               const accumulator_t<S>* means) {
  using T = accumulator_t<S>;
  const TilePlace at(t, N);
  if (!at.inside) {
    return;
  }
  T mean[N], scale[N], gamma[N], beta[N], mean_d[N], mean_du[N];
  in.gamma.lanes(at.column, gamma);
  in.beta.lanes(at.column, beta);
  each_group<N>(at.sample * in.groups, at.column, in.width, [&](int i, std::int64_t group) {
    const Pack<T, 2> saved = group_pair(in.statistics, group), of_d = group_pair(means, group);
    mean[i] = saved.value[0];
    scale[i] = saved.value[1];
    mean_d[i] = of_d.value[0];
    mean_du[i] = of_d.value[1];
  });
  std::int64_t row = at.row;
#pragma unroll 1
  for (int left = at.left; left > 0; left -= t.down, row += t.down) {
    T d[N], v[N];
    load_lanes<N>(in.d_out.at(row, at.column), d);
    load_lanes<N>(in.x.at(row, at.column), v);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const T u = (v[i] - mean[i]) * scale[i];
      if constexpr (kSilu) {
        d[i] = silu_gradient<S>(d[i], std::fma(u, gamma[i], beta[i]));
      }
      d[i] = scale[i] * (std::fma(d[i], gamma[i], -mean_d[i]) - u * mean_du[i]);
    }
    store_lanes<N>(d_x.at(row, at.column), d);
  }
}

template <typename S, int N, bool kSilu>
void run_group_norm(Context& context, const View& x, const View& gamma, const View& beta,
                    const View& out, const View& statistics, int groups, float eps) {
  using T = accumulator_t<S>;
  const std::int64_t batch = x.shape[0], rows = x.rows() / batch, cols = x.cols();
  const Tiling t = tile_rows(batch, rows, cols, N);
  const std::int64_t sum_count = batch * t.pieces * 2 * cols;
  T* sums = context.scratch<T>(Scratch::partial, sum_count + batch * 3 * cols);
  T* coefficients = sums + sum_count;
  const cudaStream_t stream = context.stream();
  column_sums<N>(stream, ShiftedSums<S, N>{rows_of<S>(x), rows}, t, batch, sums);
  launch<group_statistics_kernel<S>>(stream, block_each(batch * groups), rows_of<S>(x), t, groups,
                                     sums, Parameter<S>(gamma, T(1)), Parameter<S>(beta, T(0)),
                                     static_cast<double>(eps), statistics.as<T>(), coefficients);
  launch<group_norm_forward_kernel<S, N, kSilu>>(stream, t.grid(batch), rows_of<S>(x),
                                                 rows_of<S>(out), t, coefficients);
}

template <typename S, int N, bool kSilu>
void run_group_norm_backward(Context& context, const View& d_out, const View& x, const View& gamma,
                             const View& beta, const View& statistics, const View& d_x,
                             const View& d_gamma, const View& d_beta, int groups) {
  using T = accumulator_t<S>;
  const std::int64_t batch = x.shape[0], rows = x.rows() / batch, cols = x.cols();
  const Tiling t = tile_rows(batch, rows, cols, N);
  const std::int64_t sum_count = batch * t.pieces * 2 * cols;
  T* sums = context.scratch<T>(Scratch::partial, sum_count + batch * groups * 2);
  T* means = sums + sum_count;
  const auto terms = [&]<int kLanes>() {
    return GradientSums<S, kLanes, kSilu>{rows_of<S>(d_out),
                                          rows_of<S>(x),
                                          statistics.as<T>(),
                                          Parameter<S>(gamma, T(1)),
                                          Parameter<S>(beta, T(0)),
                                          groups,
                                          static_cast<int>(cols / groups)};
  };
  const cudaStream_t stream = context.stream();
  column_sums<N>(stream, terms.template operator()<N>(), t, batch, sums);
  launch<group_gradient_kernel<S>>(stream, block_each(batch * groups), t, groups, sums,
                                   Parameter<S>(gamma, T(1)), means);
  if (d_beta) {
    add_columns(stream, sums, batch * t.pieces, cols, 0, d_beta.as<T>());
  }
  if (d_gamma) {
    add_columns(stream, sums, batch * t.pieces, cols, 1, d_gamma.as<T>());
  }
  constexpr int kLanes = kBackwardLanes<N>;
  const Tiling halves = tile_rows(batch, rows, cols, kLanes);
  launch<group_norm_backward_kernel<S, kLanes, kSilu>>(stream, halves.grid(batch),
                                                       terms.template operator()<kLanes>(),
                                                       rows_of<S>(d_x), halves, means);
}

}  // namespace

void CudaKernels::group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                             const View& statistics, int groups, float eps, bool silu) {
  check_group_norm(x, gamma, beta, out, statistics, groups);
  dispatch_float(x.dtype, [&]<typename S>() {
    const bool whole = in_packs<kPack<S>>(x) && in_packs<kPack<S>>(out);
    dispatch_pack<S>(whole, [&]<int N>() {
      const auto forward = silu ? run_group_norm<S, N, true> : run_group_norm<S, N, false>;
      forward(*context_, x, gamma, beta, out, statistics, groups, eps);
    });
  });
}

void CudaKernels::group_norm_backward(const View& d_out, const View& x, const View& gamma,
                                      const View& beta, const View& statistics, const View& d_x,
                                      const View& d_gamma, const View& d_beta, int groups,
                                      bool silu) {
  check_group_norm_backward(d_out, x, gamma, beta, statistics, d_x, d_gamma, d_beta, groups);
  dispatch_float(x.dtype, [&]<typename S>() {
    constexpr int kWide = kPack<S>;
    const bool whole = in_packs<kWide>(x) && in_packs<kWide>(d_out) && in_packs<kWide>(d_x) &&
                       parameter_in_packs(gamma) && parameter_in_packs(beta);
    dispatch_pack<S>(whole, [&]<int N>() {
      const auto backward =
          silu ? run_group_norm_backward<S, N, true> : run_group_norm_backward<S, N, false>;
      backward(*context_, d_out, x, gamma, beta, statistics, d_x, d_gamma, d_beta, groups);
    });
  });
}

}  // namespace mantissa::cuda
