#include <cmath>
#include <type_traits>

#include "kernels/check_norm.h"
#include "kernels/cpu/backend.h"

// GroupNorm (Wu & He, arXiv 1803.08494) over NHWC, LayerNorm (Ba et al., arXiv 1607.06450) and
// RMSNorm (Zhang & Sennrich, arXiv 1910.07467), which is LayerNorm about zero instead of the mean.
//
// GroupNorm sums each channel over pieces of rows, shifted by the sample's first row so that a
// large mean costs no digits: eight rows at a time in registers, 64 rows in T, the rest in double.

namespace mantissa::MANTISSA_ISA {

namespace {

constexpr std::int64_t kRowsInRegisters = 8;
constexpr std::int64_t kRowsInFloat = 64;
constexpr std::int64_t kMostPieces = 64;

/// Rows of one piece: enough work for a chunk, at most kMostPieces pieces a sample.
std::int64_t piece_rows(std::int64_t rows, std::int64_t cols) {
  return std::max(row_grain(cols), ceil_div(rows, kMostPieces));
}

/// gamma or beta as T, whatever of its two dtypes it has.
template <typename S>
void widen_parameter(const View& v, accumulator_t<S>* to) {
  using T = accumulator_t<S>;
  if (v.dtype == statistics_dtype(v.dtype)) {
    map_elements(
        v.count(), to, [](Vec<T> x) { return x; }, static_cast<const T*>(v.data));
  } else if constexpr (!std::is_same_v<S, T>) {
    map_elements(
        v.count(), to, [](Vec<T> x) { return x; }, static_cast<const S*>(v.data));
  }
}

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

/// load_n for tails, load for whole registers.
template <typename S>
MANTISSA_INLINE Vec<accumulator_t<S>> load_some(const S* p, int n) {
  return n == Vec<accumulator_t<S>>::kLanes ? load(p) : load_n(p, n);
}
template <typename S>
MANTISSA_INLINE void store_some(S* p, Vec<accumulator_t<S>> x, int n) {
  if (n == Vec<accumulator_t<S>>::kLanes) {
    store(p, x);
  } else {
    store_n(p, x, n);
  }
}

/// d(silu(y))/dy·d.
template <typename T>
MANTISSA_INLINE Vec<T> silu_gradient(Vec<T> d, Vec<T> y) {
  const Sigmoid<T> s = sigmoid_slope(y);
  return d * fma(y, s.slope, s.value);
}

/// What both directions of a GroupNorm share. Scratch: sums [batch, pieces, 2, cols] of double,
/// then as T gamma, beta and for each sample `kept` coefficients of every channel.
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
      // max(0, …) in the order that keeps NaN.
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

template <typename S, bool kSilu>
void group_norm_gradient(ThreadPool& pool, Scratch& scratch, const View& d_out, const View& x,
                         const View& gamma, const View& beta, const View& statistics,
                         const View& d_x, const View& d_gamma, const View& d_beta, int groups) {
  // The coefficients: mean, 1/σ, mean gradient and mean gradient·x̂.
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const GroupNormWork<S> work(scratch, x, gamma, beta, groups, 4);
  const std::int64_t batch = work.batch, cols = work.cols, rows = work.rows, width = work.width;
  const std::int64_t grain = work.grain, pieces = work.pieces;
  for (std::int64_t b = 0; b < batch; ++b) {
    T* center = work.coefficients(b);
    for (std::int64_t c = 0; c < cols; ++c) {
      const T* saved = statistics.as<T>() + (b * groups + c / width) * 2;
      center[c] = saved[0];
      center[cols + c] = saved[1];
    }
  }
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
  for (std::int64_t b = 0; b < batch; ++b) {
    const double* total = work.total(b);
    T* center = work.coefficients(b);
    for (std::int64_t g = 0; g < groups; ++g) {
      double mean = 0.0, product = 0.0;
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        mean += static_cast<double>(work.gamma[c]) * total[c];
        product += static_cast<double>(work.gamma[c]) * total[cols + c];
      }
      const double n = static_cast<double>(rows * width);
      for (std::int64_t c = g * width; c < (g + 1) * width; ++c) {
        center[2 * cols + c] = static_cast<T>(mean / n);
        center[3 * cols + c] = static_cast<T>(product / n);
      }
    }
  }
  for (const View* d : {&d_gamma, &d_beta}) {
    if (*d) {
      const std::int64_t first = d == &d_gamma ? cols : 0;
      for (std::int64_t c = 0; c < cols; ++c) {
        double sum = 0.0;
        for (std::int64_t b = 0; b < batch; ++b) {
          sum += work.sums[b * pieces * 2 * cols + first + c];
        }
        d->as<T>()[c] += static_cast<T>(sum);
      }
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

/// Σ f(register of columns) over one row; f(column, count) must give zeros in lanes beyond count.
template <typename T, typename F>
MANTISSA_INLINE T row_sum(std::int64_t cols, F&& f) {
  using V = Vec<T>;
  V even(T(0)), odd(T(0));
  std::int64_t c = 0;
  for (; c + 2 * V::kLanes <= cols; c += 2 * V::kLanes) {
    even = even + f(c, V::kLanes);
    odd = odd + f(c + V::kLanes, V::kLanes);
  }
  for (; c < cols; c += V::kLanes) {
    even = even + f(c, static_cast<int>(std::min<std::int64_t>(V::kLanes, cols - c)));
  }
  return sum_lanes(even + odd);
}

/// x with lanes n.. made zero.
template <typename T>
MANTISSA_INLINE Vec<T> keep_lanes(Vec<T> x, int n) {
  if (n == Vec<T>::kLanes) {
    return x;
  }
  T lanes[Vec<T>::kLanes];
  store(lanes, x);
  return load_n(static_cast<const T*>(lanes), n);
}

/// gamma or beta [cols] as T; `otherwise` everywhere where the view is absent.
template <typename S>
void widen_optional(const View& v, std::int64_t cols, accumulator_t<S> otherwise,
                    accumulator_t<S>* to) {
  if (v) {
    widen_parameter<S>(v, to);
  } else {
    std::fill(to, to + cols, otherwise);
  }
}

/// Mean, what its rounding missed, and 1/sigma of a row; about zero, without a mean, for RMSNorm.
template <typename T>
struct RowStatistics {
  T mean, rest, scale;
};
template <bool kCentered, typename S, typename T>
MANTISSA_INLINE RowStatistics<T> row_statistics(const S* row, std::int64_t cols, float eps) {
  using V = Vec<T>;
  const T n = static_cast<T>(cols);
  T mean = T(0), rest = T(0);
  if constexpr (kCentered) {
    mean = row_sum<T>(cols, [&](std::int64_t c, int k) { return load_some(row + c, k); }) / n;
    // The mean is rounded; what it missed is measured and taken out too.
    rest = row_sum<T>(cols, [&](std::int64_t c,
                                int k) { return keep_lanes(load_some(row + c, k) - V(mean), k); }) /
           n;
  }
  const T square = row_sum<T>(cols,
                              [&](std::int64_t c, int k) {
                                const V d = kCentered
                                                ? keep_lanes(load_some(row + c, k) - V(mean), k)
                                                : load_some(row + c, k);
                                return d * d;
                              }) /
                   n;
  return {mean, rest, T(1) / std::sqrt(square - rest * rest + static_cast<T>(eps))};
}

/// LayerNorm or, not centred, RMSNorm.
template <typename S, bool kCentered>
void row_norm_forward(ThreadPool& pool, Scratch& scratch, const View& x, const View& gamma,
                      const View& beta, const View& out, const View& statistics, float eps) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t cols = x.cols();
  T* wide_gamma = static_cast<T*>(scratch.shared(static_cast<std::size_t>(2 * cols) * sizeof(T)));
  widen_optional<S>(gamma, cols, T(1), wide_gamma);
  widen_optional<S>(beta, cols, T(0), wide_gamma + cols);
  const T* const_gamma = wide_gamma;
  for_ranges(pool, x.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t r = begin; r < end; ++r) {
      const S* row = x.as<S>() + r * x.row_stride;
      const RowStatistics<T> s = row_statistics<kCentered, S, T>(row, cols, eps);
      const V mean(s.mean), scale(s.scale), offset(-s.rest * s.scale);
      map_elements(
          cols, out.as<S>() + r * out.row_stride,
          [&](V v, V g, V o) { return fma(fma(v - mean, scale, offset), g, o); }, row, const_gamma,
          const_gamma + cols);
      statistics.as<T>()[2 * r] = s.mean + s.rest;
      statistics.as<T>()[2 * r + 1] = s.scale;
    }
  });
}

template <typename S, bool kCentered>
void row_norm_gradient(ThreadPool& pool, Scratch& scratch, const View& d_out, const View& x,
                       const View& gamma, const View& statistics, const View& d_x,
                       const View& d_gamma, const View& d_beta) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t cols = x.cols(), rows = x.rows();
  const bool parameters = d_gamma || d_beta;
  const std::int64_t grain = piece_rows(rows, cols), pieces = ceil_div(rows, grain);
  const std::int64_t sum_count = parameters ? pieces * 2 * cols : 0;
  T* wide_gamma =
      static_cast<T*>(scratch.shared(static_cast<std::size_t>(cols + sum_count) * sizeof(T)));
  T* sums = wide_gamma + cols;
  widen_optional<S>(gamma, cols, T(1), wide_gamma);
  const T* const_gamma = wide_gamma;
  pool.run(pieces, [&](std::int64_t piece, int) {
    T* sum_u = sums + piece * 2 * cols;
    T* sum_d = sum_u + cols;
    if (parameters) {
      std::fill(sum_u, sum_u + 2 * cols, T(0));
    }
    for (std::int64_t r = piece * grain; r < std::min(rows, (piece + 1) * grain); ++r) {
      const S* row = x.as<S>() + r * x.row_stride;
      const S* d_row = d_out.as<S>() + r * d_out.row_stride;
      const V mean(statistics.as<T>()[2 * r]), scale(statistics.as<T>()[2 * r + 1]);
      const T n = static_cast<T>(cols);
      V mean_d(T(0));
      if constexpr (kCentered) {
        mean_d = V(row_sum<T>(cols,
                              [&](std::int64_t c, int k) {
                                return load_some(d_row + c, k) * load_some(const_gamma + c, k);
                              }) /
                   n);
      }
      const V mean_du(row_sum<T>(cols,
                                 [&](std::int64_t c, int k) {
                                   const V u = (load_some(row + c, k) - mean) * scale;
                                   return keep_lanes(
                                       load_some(d_row + c, k) * load_some(const_gamma + c, k) * u,
                                       k);
                                 }) /
                      n);
      map_elements(
          cols, d_x.as<S>() + r * d_x.row_stride,
          [&](V d, V v, V g) {
            const V u = (v - mean) * scale;
            return scale * (fma(d, g, V(T(0)) - mean_d) - u * mean_du);
          },
          d_row, row, const_gamma);
      for (std::int64_t c = 0; parameters && c < cols; c += V::kLanes) {
        const int k = static_cast<int>(std::min<std::int64_t>(V::kLanes, cols - c));
        const V d = load_some(d_row + c, k);
        const V u = (load_some(row + c, k) - mean) * scale;
        store_some(sum_u + c, fma(d, u, load_some(static_cast<const T*>(sum_u) + c, k)), k);
        store_some(sum_d + c, d + load_some(static_cast<const T*>(sum_d) + c, k), k);
      }
    }
  });
  for (const View* d : {&d_gamma, &d_beta}) {
    for (std::int64_t c = 0; *d && c < cols; ++c) {
      double sum = 0.0;
      for (std::int64_t p = 0; p < pieces; ++p) {
        sum += static_cast<double>(sums[(p * 2 + (d == &d_gamma ? 0 : 1)) * cols + c]);
      }
      d->as<T>()[c] += static_cast<T>(sum);
    }
  }
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

void CpuKernels::layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                            const View& statistics, float eps) {
  check_row_norm(x, gamma, beta, out, statistics, "layer_norm");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_forward<S, true>(pool_, scratch_, x, gamma, beta, out, statistics, eps);
  });
}

void CpuKernels::layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                                     const View& statistics, const View& d_x, const View& d_gamma,
                                     const View& d_beta) {
  check_row_norm_backward(d_out, x, gamma, statistics, d_x, d_gamma, d_beta, "layer_norm_backward");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_gradient<S, true>(pool_, scratch_, d_out, x, gamma, statistics, d_x, d_gamma, d_beta);
  });
}

void CpuKernels::rms_norm(const View& x, const View& gamma, const View& out, const View& statistics,
                          float eps) {
  check_row_norm(x, gamma, {}, out, statistics, "rms_norm");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_forward<S, false>(pool_, scratch_, x, gamma, {}, out, statistics, eps);
  });
}

void CpuKernels::rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                                   const View& statistics, const View& d_x, const View& d_gamma) {
  check_row_norm_backward(d_out, x, gamma, statistics, d_x, d_gamma, {}, "rms_norm_backward");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_gradient<S, false>(pool_, scratch_, d_out, x, gamma, statistics, d_x, d_gamma, {});
  });
}

}  // namespace mantissa::MANTISSA_ISA
