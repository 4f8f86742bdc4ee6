#include <cmath>

#include "kernels/cpu/norm_tile.h"

// LayerNorm (Ba et al., arXiv 1607.06450) and RMSNorm (Zhang & Sennrich, arXiv 1910.07467), which
// is LayerNorm about zero instead of the mean.

namespace mantissa::MANTISSA_ISA {

namespace {

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

/// x with lanes from n zeroed.
template <typename T>
MANTISSA_INLINE Vec<T> keep_lanes(Vec<T> x, int n) {
  if (n == Vec<T>::kLanes) {
    return x;
  }
  T lanes[Vec<T>::kLanes];
  store(lanes, x);
  return load_n(static_cast<const T*>(lanes), n);
}

/// gamma or beta [cols] as T, plus `offset`; `otherwise` throughout if the view is absent.
template <typename S>
void widen_optional(const View& v, std::int64_t cols, accumulator_t<S> otherwise,
                    accumulator_t<S>* to, accumulator_t<S> offset = 0) {
  using T = accumulator_t<S>;
  if (v) {
    widen_parameter<S>(v, to);
    if (offset != T(0)) {
      map_elements(
          cols, to, [&](Vec<T> p) { return p + Vec<T>(offset); }, static_cast<const T*>(to));
    }
  } else {
    std::fill(to, to + cols, otherwise);
  }
}

/// Mean, its rounding error, and 1/sigma of a row; about zero, without a mean, for RMSNorm.
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
    // The mean is rounded; its rounding error is measured and subtracted too.
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
                      const View& beta, const View& out, const View& statistics, float eps,
                      bool unit_offset) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t cols = x.cols();
  T* wide_gamma = static_cast<T*>(scratch.shared(static_cast<std::size_t>(2 * cols) * sizeof(T)));
  widen_optional<S>(gamma, cols, T(1), wide_gamma, unit_offset ? T(1) : T(0));
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
                       const View& gamma, const View& statistics, const View& addend,
                       const View& d_x, const View& d_gamma, const View& d_beta, bool unit_offset) {
  using T = accumulator_t<S>;
  using V = Vec<T>;
  const std::int64_t cols = x.cols(), rows = x.rows();
  const bool parameters = d_gamma || d_beta;
  const std::int64_t grain = piece_rows(rows, cols), pieces = ceil_div(rows, grain);
  const std::int64_t sum_count = parameters ? pieces * 2 * cols : 0;
  T* wide_gamma =
      static_cast<T*>(scratch.shared(static_cast<std::size_t>(cols + sum_count) * sizeof(T)));
  T* sums = wide_gamma + cols;
  widen_optional<S>(gamma, cols, T(1), wide_gamma, unit_offset ? T(1) : T(0));
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
      const auto gradient = [&](V d, V v, V g) {
        const V u = (v - mean) * scale;
        return scale * (fma(d, g, V(T(0)) - mean_d) - u * mean_du);
      };
      S* d_x_row = d_x.as<S>() + r * d_x.row_stride;
      if (addend) {
        const S* added = addend.as<S>() + r * addend.row_stride;
        map_elements(
            cols, d_x_row, [&](V a, V d, V v, V g) { return a + gradient(d, v, g); }, added, d_row,
            row, const_gamma);
      } else {
        map_elements(cols, d_x_row, gradient, d_row, row, const_gamma);
      }
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

void CpuKernels::layer_norm(const View& x, const View& gamma, const View& beta, const View& out,
                            const View& statistics, float eps) {
  check_row_norm(x, gamma, beta, out, statistics, "layer_norm");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_forward<S, true>(pool_, scratch_, x, gamma, beta, out, statistics, eps, false);
  });
}

void CpuKernels::layer_norm_backward(const View& d_out, const View& x, const View& gamma,
                                     const View& statistics, const View& addend, const View& d_x,
                                     const View& d_gamma, const View& d_beta) {
  check_row_norm_backward(d_out, x, gamma, statistics, addend, d_x, d_gamma, d_beta,
                          "layer_norm_backward");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_gradient<S, true>(pool_, scratch_, d_out, x, gamma, statistics, addend, d_x, d_gamma,
                               d_beta, false);
  });
}

void CpuKernels::rms_norm(const View& x, const View& gamma, const View& out, const View& statistics,
                          float eps, bool unit_offset) {
  check_row_norm(x, gamma, {}, out, statistics, "rms_norm");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_forward<S, false>(pool_, scratch_, x, gamma, {}, out, statistics, eps, unit_offset);
  });
}

void CpuKernels::rms_norm_backward(const View& d_out, const View& x, const View& gamma,
                                   const View& statistics, const View& d_x, const View& d_gamma,
                                   bool unit_offset) {
  check_row_norm_backward(d_out, x, gamma, statistics, {}, d_x, d_gamma, {}, "rms_norm_backward");
  dispatch_float(x.dtype, [&]<typename S>() {
    row_norm_gradient<S, false>(pool_, scratch_, d_out, x, gamma, statistics, {}, d_x, d_gamma, {},
                                unit_offset);
  });
}

}  // namespace mantissa::MANTISSA_ISA
