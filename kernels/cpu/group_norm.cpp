#include <cmath>

#include "kernels/cpu/norm_tile.h"

// GroupNorm (Wu & He, arXiv 1803.08494) over NHWC: each channel is summed over pieces of rows,
// shifted by the sample's first row so that a large mean costs no precision: eight rows at a time
// in registers, 64 rows in T, the rest in double.

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr std::int64_t kRowsInRegisters = 8;
constexpr std::int64_t kRowsInFloat = 64;
/// Sums over `rows` rows: row_terms(row, column, count) gives two registers of terms; their sums
/// are left in sums[0, cols) and sums[cols, 2·cols). `running` is 2·cols of T.
template <typename T, typename Terms>
void column_sums(std::int64_t rows, std::int64_t cols, T* running, double* sums,
                 Terms&& row_terms) {
  using V = Vec<T>;
  std::fill(sums, sums + 2 * cols, 0.0);
  for (std::int64_t r0 = 0; r0 < rows; r0 += kRowsInFloat) {
    std::fill(running, running + 2 * cols, T(0));
    const std::int64_t r1 = std::min(rows, r0 + kRowsInFloat);
    for (std::int64_t r = r0; r < r1; r += kRowsInRegisters) {
      const std::int64_t count = std::min(kRowsInRegisters, r1 - r);
      for (std::int64_t c = 0; c < cols; c += V::kLanes) {
        const int n = static_cast<int>(std::min<std::int64_t>(V::kLanes, cols - c));
        V first(T(0)), second(T(0));
        row_terms(r, count, c, n, first, second);
        store_n(running + c, load_n(static_cast<const T*>(running) + c, n) + first, n);
        store_n(running + cols + c, load_n(static_cast<const T*>(running) + cols + c, n) + second,
                n);
      }
    }
    for (std::int64_t c = 0; c < 2 * cols; ++c) {
      sums[c] += static_cast<double>(running[c]);
    }
  }
}

/// d(silu(y))/dy·d.
template <typename T>
MANTISSA_INLINE Vec<T> silu_gradient(Vec<T> d, Vec<T> y) {
  const Sigmoid<T> s = sigmoid_slope(y);
  return d * fma(y, s.slope, s.value);
}

/// Shared by both directions of GroupNorm. Scratch: sums [batch, pieces, 2, cols] of double, then
/// as T gamma, beta and for each sample `kept` coefficients of every channel.
template <typename S>
struct GroupNormWork {
  using T = accumulator_t<S>;

  GroupNormWork(Scratch& scratch, const View& x, const View& gamma_view, const View& beta_view,
                int groups, std::int64_t kept_each)
      : batch(x.shape[0]),
        cols(x.cols()),
        rows(x.rows() / batch),
        width(cols / groups),
        grain(piece_rows(rows, cols)),
        pieces(ceil_div(rows, grain)),
        kept(kept_each) {
    const std::int64_t sum_count = batch * pieces * 2 * cols;
    sums = static_cast<double*>(
        scratch.shared(static_cast<std::size_t>(sum_count) * sizeof(double) +
                       static_cast<std::size_t>((2 + kept * batch) * cols) * sizeof(T)));
    gamma = reinterpret_cast<T*>(sums + sum_count);
    beta = gamma + cols;
    widen_parameter<S>(gamma_view, gamma);
    widen_parameter<S>(beta_view, beta);
  }

  /// The coefficients of sample b, [kept, cols].
  T* coefficients(std::int64_t b) const { return beta + cols + b * kept * cols; }

  /// Adds the sums of all pieces of sample b into its first, [2, cols], and returns that.
  double* total(std::int64_t b) const {
    double* total = sums + b * pieces * 2 * cols;
    for (std::int64_t p = 1; p < pieces; ++p) {
      for (std::int64_t c = 0; c < 2 * cols; ++c) {
        total[c] += total[p * 2 * cols + c];
      }
    }
    return total;
  }

  std::int64_t batch, cols, rows, width;
  std::int64_t grain, pieces;  ///< rows of a piece, pieces of a sample
  std::int64_t kept;
  double* sums;
  T *gamma, *beta;
};

template <typename S, bool kSilu>
void group_norm_forward(ThreadPool& pool, Scratch& scratch, const View& x, const View& gamma,
                        const View& beta, const View& out, const View& statistics, int groups,
                        float eps) {
  // The coefficients: mean, scale and offset.
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const GroupNormWork<S> work(scratch, x, gamma, beta, groups, 3);
  const std::int64_t batch = work.batch, cols = work.cols, rows = work.rows, width = work.width;
  const std::int64_t grain = work.grain, pieces = work.pieces;

  pool.run(batch * pieces, [&](std::int64_t chunk, int thread) {
    const std::int64_t b = chunk / pieces, begin = chunk % pieces * grain;
    const S* first = x.as<S>() + b * rows * x.row_stride;
    const S* from = first + begin * x.row_stride;
    T* running =
        static_cast<T*>(scratch.of_thread(thread, static_cast<std::size_t>(2 * cols) * sizeof(T)));
    column_sums<T>(
        std::min(grain, rows - begin), cols, running, work.sums + chunk * 2 * cols,
        [&](std::int64_t r, std::int64_t count, std::int64_t c, int n, V& sum, V& squares) {
          const V shift = load_some(first + c, n);
          for (std::int64_t i = 0; i < count; ++i) {
            const V d = load_some(from + (r + i) * x.row_stride + c, n) - shift;
            sum = sum + d;
            squares = fma(d, d, squares);
          }
        });
  });
  pool.run(batch, [&](std::int64_t b, int) {
    const S* first = x.as<S>() + b * rows * x.row_stride;
    const double* total = work.total(b);
    T* center = work.coefficients(b);
    const auto n = static_cast<double>(rows);
    for (std::int64_t g = 0; g < groups; ++g) {
      double mean = 0.0;
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        mean += static_cast<double>(static_cast<T>(first[c])) + total[c] / n;
      }
      mean /= static_cast<double>(width);
      double square = 0.0;
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        const double off = mean - static_cast<double>(static_cast<T>(first[c]));
        square += total[cols + c] - 2.0 * off * total[c] + n * off * off;
      }
      // max(0, …) in the operand order that propagates NaN.
      const double variance = square / (n * static_cast<double>(width));
      const double scale =
          1.0 / std::sqrt((variance < 0.0 ? 0.0 : variance) + static_cast<double>(eps));
      T* saved = statistics.as<T>() + (b * groups + g) * 2;
      saved[0] = static_cast<T>(mean);
      saved[1] = static_cast<T>(scale);
      const double rest = mean - static_cast<double>(saved[0]);
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        const double slope = scale * static_cast<double>(work.gamma[c]);
        center[c] = saved[0];
        center[cols + c] = static_cast<T>(slope);
        center[2 * cols + c] = static_cast<T>(static_cast<double>(work.beta[c]) - rest * slope);
      }
    }
  });
  pool.run(batch * pieces, [&](std::int64_t chunk, int) {
    const std::int64_t b = chunk / pieces, begin = chunk % pieces * grain;
    const T* center = work.coefficients(b);
    for (std::int64_t r = begin; r < std::min(rows, begin + grain); ++r) {
      map_elements(
          cols, out.as<S>() + (b * rows + r) * out.row_stride,
          [](V v, V mean, V slope, V offset) {
            const V y = fma(v - mean, slope, offset);
            return kSilu ? y * sigmoid(y) : y;
          },
          x.as<S>() + (b * rows + r) * x.row_stride, center, center + cols, center + 2 * cols);
    }
  });
}

/// The first two coefficients of every channel, from the forward pass.
template <typename S>
void set_statistics(const GroupNormWork<S>& work, const View& statistics, int groups) {
  using T = accumulator_t<S>;
  const std::int64_t cols = work.cols;
  for (std::int64_t b = 0; b < work.batch; ++b) {
    T* center = work.coefficients(b);
    for (std::int64_t c = 0; c < cols; ++c) {
      const T* saved = statistics.as<T>() + (b * groups + c / work.width) * 2;
      center[c] = saved[0];
      center[cols + c] = saved[1];
    }
  }
}

/// The last two coefficients of every channel: its group's mean gradient, alone and times x̂.
template <typename S>
void set_mean_gradients(const GroupNormWork<S>& work, int groups) {
  using T = accumulator_t<S>;
  const std::int64_t cols = work.cols, width = work.width;
  for (std::int64_t b = 0; b < work.batch; ++b) {
    const double* total = work.total(b);
    T* center = work.coefficients(b);
    for (std::int64_t g = 0; g < groups; ++g) {
      double mean = 0.0, product = 0.0;
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        mean += static_cast<double>(work.gamma[c]) * total[c];
        product += static_cast<double>(work.gamma[c]) * total[cols + c];
      }
      const double n = static_cast<double>(work.rows * width);
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        center[2 * cols + c] = static_cast<T>(mean / n);
        center[3 * cols + c] = static_cast<T>(product / n);
      }
    }
  }
}

/// Adds the first or second sums of every channel, over all samples, to a parameter's gradient.
/// Each sample's must be whole, as GroupNormWork::total leaves them.
template <typename S>
void add_channel_sums(const GroupNormWork<S>& work, std::int64_t which, const View& d) {
  using T = accumulator_t<S>;
  const std::int64_t cols = work.cols;
  for (std::int64_t c = 0; c < cols; ++c) {
    double sum = 0.0;
    for (std::int64_t b = 0; b < work.batch; ++b) {
      sum += work.sums[b * work.pieces * 2 * cols + which * cols + c];
    }
    d.as<T>()[c] += static_cast<T>(sum);
  }
}

template <typename S, bool kSilu>
void group_norm_gradient(ThreadPool& pool, Scratch& scratch, const View& d_out, const View& x,
                         const View& gamma, const View& beta, const View& statistics,
                         const View& d_x, const View& d_gamma, const View& d_beta, int groups) {
  // The coefficients: mean, 1/σ, mean gradient and mean gradient·x̂.
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const GroupNormWork<S> work(scratch, x, gamma, beta, groups, 4);
  const std::int64_t batch = work.batch, cols = work.cols, rows = work.rows;
  const std::int64_t grain = work.grain, pieces = work.pieces;
  set_statistics(work, statistics, groups);
  pool.run(batch * pieces, [&](std::int64_t chunk, int thread) {
    const std::int64_t b = chunk / pieces, begin = chunk % pieces * grain;
    const S* from = x.as<S>() + (b * rows + begin) * x.row_stride;
    const S* d_from = d_out.as<S>() + (b * rows + begin) * d_out.row_stride;
    const T* center = work.coefficients(b);
    T* running =
        static_cast<T*>(scratch.of_thread(thread, static_cast<std::size_t>(2 * cols) * sizeof(T)));
    column_sums<T>(
        std::min(grain, rows - begin), cols, running, work.sums + chunk * 2 * cols,
        [&](std::int64_t r, std::int64_t count, std::int64_t c, int n, V& sum, V& products) {
          const V mean = load_some(center + c, n);
          const V scale = load_some(center + cols + c, n);
          const V g = load_some(work.gamma + c, n);
          const V offset = load_some(work.beta + c, n);
          for (std::int64_t i = 0; i < count; ++i) {
            const V u = (load_some(from + (r + i) * x.row_stride + c, n) - mean) * scale;
            V d = load_some(d_from + (r + i) * d_out.row_stride + c, n);
            if constexpr (kSilu) {
              d = silu_gradient(d, fma(u, g, offset));
            }
            sum = sum + d;
            products = fma(d, u, products);
          }
        });
  });
  set_mean_gradients(work, groups);
  for (const View* d : {&d_gamma, &d_beta}) {
    if (*d) {
      add_channel_sums(work, /*which=*/d == &d_gamma ? 1 : 0, *d);
    }
  }
  pool.run(batch * pieces, [&](std::int64_t chunk, int) {
    const std::int64_t b = chunk / pieces, begin = chunk % pieces * grain;
    const T* center = work.coefficients(b);
    const T* const_gamma = work.gamma;
    const T* const_beta = work.beta;
    for (std::int64_t r = b * rows + begin; r < b * rows + std::min(rows, begin + grain); ++r) {
      map_elements(
          cols, d_x.as<S>() + r * d_x.row_stride,
          [](V d, V v, V g, V offset, V mean, V scale, V mean_d, V mean_du) {
            const V u = (v - mean) * scale;
            if constexpr (kSilu) {
              d = silu_gradient(d, fma(u, g, offset));
            }
            return scale * (fma(d, g, V(T(0)) - mean_d) - u * mean_du);
          },
          d_out.as<S>() + r * d_out.row_stride, x.as<S>() + r * x.row_stride, const_gamma,
          const_beta, center, center + cols, center + 2 * cols, center + 3 * cols);
    }
  });
}

}  // namespace

void CpuKernels::group_norm(const View& x, const View& gamma, const View& beta, const View& out,
                            const View& statistics, int groups, float eps, bool silu) {
  check_group_norm(x, gamma, beta, out, statistics, groups);
  dispatch_float(x.dtype, [&]<typename S>() {
    const auto forward = silu ? group_norm_forward<S, true> : group_norm_forward<S, false>;
    forward(pool_, scratch_, x, gamma, beta, out, statistics, groups, eps);
  });
}

void CpuKernels::group_norm_backward(const View& d_out, const View& x, const View& gamma,
                                     const View& beta, const View& statistics, const View& d_x,
                                     const View& d_gamma, const View& d_beta, int groups,
                                     bool silu) {
  check_group_norm_backward(d_out, x, gamma, beta, statistics, d_x, d_gamma, d_beta, groups);
  dispatch_float(x.dtype, [&]<typename S>() {
    const auto backward = silu ? group_norm_gradient<S, true> : group_norm_gradient<S, false>;
    backward(pool_, scratch_, d_out, x, gamma, beta, statistics, d_x, d_gamma, d_beta, groups);
  });
}

}  // namespace mantissa::MANTISSA_ISA
