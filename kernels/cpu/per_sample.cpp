#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

// One vector [channels] per sample applied to all rows of the sample: sums, shifts, scales and
// gates.

namespace mantissa::MANTISSA_ISA {

namespace {

/// f(row, sample) for every row of x [batch, ..., c].
template <typename F>
void for_rows(ThreadPool& pool, const View& x, F&& f) {
  const std::int64_t per_sample = x.rows() / std::max<std::int64_t>(1, x.shape[0]);
  for_ranges(pool, x.rows(), row_grain(x.cols()), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t r = begin; r < end; ++r) {
      f(r, r / per_sample);
    }
  });
}

/// Row of a per-sample view that belongs to `sample`.
template <typename S>
const S* row_of(const View& t, std::int64_t sample) {
  return t.as<S>() + (t.rows() == 1 ? 0 : sample) * t.row_stride;
}

/// out[b] (+)= Σ over the rows of sample b: add(sums [cols], row) adds one row in T. Split into
/// pieces by shape alone; partial sums are added in order.
template <typename T, typename AddRow>
void sum_samples(ThreadPool& pool, Scratch& scratch, std::int64_t all_rows, const View& out,
                 bool accumulate, AddRow&& add) {
  const std::int64_t samples = out.rows(), cols = out.cols();
  if (samples == 0 || cols == 0) {
    return;
  }
  const auto plus = [](Vec<T> a, Vec<T> b) { return a + b; };
  const std::int64_t rows = all_rows / samples;
  // Enough pieces per sample for the threads, few enough that summing them is cheap.
  const std::int64_t grain = std::max(row_grain(cols), ceil_div(rows, 64));
  const std::int64_t pieces = std::max<std::int64_t>(1, ceil_div(rows, grain));
  T* partial = static_cast<T*>(
      scratch.shared(static_cast<std::size_t>(samples * pieces * cols) * sizeof(T)));
  pool.run(samples * pieces, [&](std::int64_t chunk, int) {
    T* sums = partial + chunk * cols;
    std::fill(sums, sums + cols, T(0));
    const std::int64_t begin = chunk % pieces * grain;
    for (std::int64_t r = begin; r < std::min(rows, begin + grain); ++r) {
      add(sums, chunk / pieces * rows + r);
    }
  });
  dispatch_float(out.dtype, [&]<typename Out>() {
    if constexpr (std::is_same_v<accumulator_t<Out>, T>) {
      for (std::int64_t b = 0; b < samples; ++b) {
        T* sums = partial + b * pieces * cols;
        for (std::int64_t p = 1; p < pieces; ++p) {
          map_elements(cols, sums, plus, static_cast<const T*>(sums),
                       static_cast<const T*>(sums + p * cols));
        }
        Out* to = out.as<Out>() + b * out.row_stride;
        if (accumulate) {
          map_elements(cols, to, plus, static_cast<const Out*>(to), static_cast<const T*>(sums));
        } else {
          map_elements(
              cols, to, [](Vec<T> a) { return a; }, static_cast<const T*>(sums));
        }
      }
    }
  });
}

}  // namespace

void CpuKernels::add_per_sample(const View& x, const View& t, const View& out) {
  check_float(x, "add_per_sample", "x");
  check_sample_vector(t, x, "add_per_sample", "t");
  check_like(out, x, "add_per_sample", "out");
  dispatch_float(x.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    for_rows(pool_, x, [&](std::int64_t r, std::int64_t sample) {
      map_elements(
          x.cols(), out.as<S>() + r * out.row_stride, [](V a, V b) { return a + b; },
          x.as<S>() + r * x.row_stride, row_of<S>(t, sample));
    });
  });
}

void CpuKernels::sum_per_sample(const View& x, const View& out, bool accumulate) {
  check_float(x, "sum_per_sample", "x");
  check_sample_sum(out, x, "sum_per_sample");
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    sum_samples<T>(pool_, scratch_, x.rows(), out, accumulate, [&](T* sums, std::int64_t r) {
      map_elements(
          x.cols(), sums, [](Vec<T> a, Vec<T> b) { return a + b; }, static_cast<const T*>(sums),
          x.as<S>() + r * x.row_stride);
    });
  });
}

void CpuKernels::dot_per_sample(const View& x, const View& y, const View& out) {
  check_float(x, "dot_per_sample", "x");
  check_like(y, x, "dot_per_sample", "y");
  check_sample_sum(out, x, "dot_per_sample");
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    sum_samples<T>(pool_, scratch_, x.rows(), out, false, [&](T* sums, std::int64_t r) {
      map_elements(
          x.cols(), sums, [](V sum, V a, V b) { return fma(a, b, sum); },
          static_cast<const T*>(sums), x.as<S>() + r * x.row_stride, y.as<S>() + r * y.row_stride);
    });
  });
}

void CpuKernels::modulate(const View& x, const View& scale, const View& shift, const View& out) {
  check_modulate(x, scale, shift, out);
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    using V = Vec<T>;
    const V one(T(1));
    for_rows(pool_, x, [&](std::int64_t r, std::int64_t sample) {
      const S* from = x.as<S>() + r * x.row_stride;
      S* to = out.as<S>() + r * out.row_stride;
      if (shift) {
        map_elements(
            x.cols(), to, [&](V a, V s, V b) { return fma(a, one + s, b); }, from,
            row_of<S>(scale, sample), row_of<S>(shift, sample));
      } else {
        map_elements(
            x.cols(), to, [&](V a, V s) { return a * (one + s); }, from, row_of<S>(scale, sample));
      }
    });
  });
}

void CpuKernels::gated_add(const View& x, const View& y, const View& gate, const View& out) {
  check_gated_add(x, y, gate, out);
  dispatch_float(y.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    for_rows(pool_, y, [&](std::int64_t r, std::int64_t sample) {
      const S* from = y.as<S>() + r * y.row_stride;
      S* to = out.as<S>() + r * out.row_stride;
      if (x) {
        map_elements(
            y.cols(), to, [](V a, V b, V g) { return fma(b, g, a); }, x.as<S>() + r * x.row_stride,
            from, row_of<S>(gate, sample));
      } else {
        map_elements(
            y.cols(), to, [](V b, V g) { return b * g; }, from, row_of<S>(gate, sample));
      }
    });
  });
}

}  // namespace mantissa::MANTISSA_ISA
