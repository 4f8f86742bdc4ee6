#include <type_traits>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// Rows [r0, r1) summed into sums[cols], vectors along the columns.
template <typename S, typename T>
void add_rows(const S* x, std::int64_t stride, std::int64_t rows, std::int64_t cols, T* sums) {
  for (std::int64_t r = 0; r < rows; ++r) {
    map_elements(
        cols, sums, [](Vec<T> a, Vec<T> b) { return a + b; }, static_cast<const T*>(sums),
        x + r * stride);
  }
}

template <typename From, typename To>
void convert(const From* in, To* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<From, To>) {
      out[i] = in[i];
    } else if constexpr (std::is_same_v<From, double>) {
      // One rounding to a narrow type, by way of float with the sticky bit kept odd.
      float f = static_cast<float>(in[i]);
      if constexpr (!std::is_same_v<To, float>) {
        const double back = static_cast<double>(f);
        const auto bits = std::bit_cast<std::uint32_t>(f);
        if (back != in[i] && (bits & 1u) == 0 && std::isfinite(f)) {
          f = std::bit_cast<float>((std::fabs(back) > std::fabs(in[i])) ? bits - 1 : bits | 1u);
        }
        out[i] = To(f);
      } else {
        out[i] = f;
      }
    } else if constexpr (std::is_same_v<To, double>) {
      out[i] = static_cast<double>(static_cast<float>(in[i]));
    } else {
      out[i] = To(static_cast<float>(in[i]));
    }
  }
}

/// The conversions between fp32, fp16 and bf16 that have vector forms.
template <typename From, typename To>
void convert_vector(const From* in, To* out, std::int64_t n) {
  map_elements(
      n, out, [](Vec<float> x) { return x; }, in);
}

template <typename T>
inline constexpr bool kVectorType =
    std::is_same_v<T, float> || std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <typename F>
void dispatch_any_float(DType d, F&& f) {
  switch (d) {
    case DType::f8_e4m3:
      return f.template operator()<float8_e4m3>();
    case DType::f8_e5m2:
      return f.template operator()<float8_e5m2>();
    default:
      return dispatch_float(d, f);
  }
}

}  // namespace

void CpuKernels::copy(const View& in, const View& out) {
  for (const View* v : {&in, &out}) {
    check_kernel(v->data != nullptr || v->count() == 0, "copy", "a view has no data");
    check_kernel(v->row_stride >= v->cols(), "copy", "a row stride lies below the columns");
  }
  check_shape(out, in.shape, "copy", "out");
  if (in.dtype == out.dtype) {
    const std::size_t size = dtype_size(in.dtype);
    for_elements(pool_, {&in, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      std::memmove(out.as<char>() + static_cast<std::size_t>(r * out.row_stride + c) * size,
                   in.as<char>() + static_cast<std::size_t>(r * in.row_stride + c) * size,
                   static_cast<std::size_t>(n) * size);
    });
    return;
  }
  check_kernel(is_float(in.dtype) && is_float(out.dtype), "copy",
               "can't convert " + dtype_text(in.dtype) + " to " + dtype_text(out.dtype));
  dispatch_any_float(in.dtype, [&]<typename From>() {
    dispatch_any_float(out.dtype, [&]<typename To>() {
      for_elements(pool_, {&in, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
        const From* from = in.as<From>() + r * in.row_stride + c;
        To* to = out.as<To>() + r * out.row_stride + c;
        if constexpr (kVectorType<From> && kVectorType<To>) {
          convert_vector(from, to, n);
        } else {
          convert(from, to, n);
        }
      });
    });
  });
}

void CpuKernels::fill(const View& out, float value) {
  check_float(out, "fill", "out");
  dispatch_float(out.dtype, [&]<typename S>() {
    for_elements(pool_, {&out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      S* to = out.as<S>() + r * out.row_stride + c;
      std::fill(to, to + n, S(value));
    });
  });
}

void CpuKernels::add(const View& a, const View& b, const View& out) {
  check_float(a, "add", "a");
  check_like(b, a, "add", "b");
  check_like(out, a, "add", "out");
  dispatch_float(a.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    for_elements(pool_, {&a, &b, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      map_elements(
          n, out.as<S>() + r * out.row_stride + c, [](V x, V y) { return x + y; },
          a.as<S>() + r * a.row_stride + c, b.as<S>() + r * b.row_stride + c);
    });
  });
}

void CpuKernels::multiply(const View& a, const View& b, const View& out) {
  check_float(a, "multiply", "a");
  check_like(b, a, "multiply", "b");
  check_like(out, a, "multiply", "out");
  dispatch_float(a.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    for_elements(pool_, {&a, &b, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      map_elements(
          n, out.as<S>() + r * out.row_stride + c, [](V x, V y) { return x * y; },
          a.as<S>() + r * a.row_stride + c, b.as<S>() + r * b.row_stride + c);
    });
  });
}

void CpuKernels::scale(const View& in, float factor, const View& out) {
  check_float(in, "scale", "in");
  check_like(out, in, "scale", "out");
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const Vec<T> f(static_cast<T>(factor));
    for_elements(pool_, {&in, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      map_elements(
          n, out.as<S>() + r * out.row_stride + c, [&](Vec<T> x) { return x * f; },
          in.as<S>() + r * in.row_stride + c);
    });
  });
}

void CpuKernels::add_per_sample(const View& x, const View& t, const View& out) {
  check_float(x, "add_per_sample", "x");
  check_float(t, "add_per_sample", "t");
  check_dtype(t, x.dtype, "add_per_sample", "t");
  check_like(out, x, "add_per_sample", "out");
  const std::int64_t batch = x.shape.rank() > 0 ? x.shape[0] : 1;
  check_kernel(x.shape.rank() >= 2 && t.shape.rank() == 2 && t.cols() == x.cols() &&
                   (t.rows() == batch || t.rows() == 1),
               "add_per_sample",
               "t must be [" + std::to_string(batch) + " or 1, " + std::to_string(x.cols()) +
                   "]; it is " + t.shape.str());
  const std::int64_t per_sample = x.rows() / std::max<std::int64_t>(1, batch);
  dispatch_float(x.dtype, [&]<typename S>() {
    using V = Vec<accumulator_t<S>>;
    for_ranges(pool_, x.rows(), row_grain(x.cols()),
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t r = begin; r < end; ++r) {
                   const std::int64_t sample = t.rows() == 1 ? 0 : r / per_sample;
                   map_elements(
                       x.cols(), out.as<S>() + r * out.row_stride, [](V a, V b) { return a + b; },
                       x.as<S>() + r * x.row_stride, t.as<S>() + sample * t.row_stride);
                 }
               });
  });
}

void CpuKernels::sum_per_sample(const View& x, const View& out, bool accumulate) {
  const char* kernel = "sum_per_sample";
  check_float(x, kernel, "x");
  check_float(out, kernel, "out");
  // The sum may be kept wider than what is summed: a bias gradient is fp32 under fp16.
  check_kernel(out.dtype == x.dtype || out.dtype == statistics_dtype(x.dtype), kernel,
               "out must be " + dtype_text(x.dtype) + " or fp32; it is " + dtype_text(out.dtype));
  const std::int64_t x_batch = x.shape.rank() > 0 ? x.shape[0] : 1;
  check_kernel(x.shape.rank() >= 2 && out.shape.rank() == 2 && out.cols() == x.cols() &&
                   (out.rows() == x_batch || out.rows() == 1),
               kernel,
               "out must be [" + std::to_string(x_batch) + " or 1, " + std::to_string(x.cols()) +
                   "]; it is " + out.shape.str());
  const std::int64_t samples = out.rows(), cols = x.cols();
  if (samples == 0 || cols == 0) {
    return;
  }
  const std::int64_t rows = x.rows() / samples;
  // Enough pieces a sample for the threads, few enough that adding them up is cheap.
  const std::int64_t grain = std::max(row_grain(cols), ceil_div(rows, 64));
  const std::int64_t pieces = std::max<std::int64_t>(1, ceil_div(rows, grain));
  dispatch_float(x.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    T* partial = static_cast<T*>(
        scratch_.shared(static_cast<std::size_t>(samples * pieces * cols) * sizeof(T)));
    pool_.run(samples * pieces, [&](std::int64_t chunk, int) {
      T* sums = partial + chunk * cols;
      std::fill(sums, sums + cols, T(0));
      const std::int64_t begin = chunk % pieces * grain;
      const std::int64_t end = std::min(rows, begin + grain);
      add_rows(x.as<S>() + (chunk / pieces * rows + begin) * x.row_stride, x.row_stride,
               end - begin, cols, sums);
    });
    const auto finish = [&]<typename Out>() {
      for (std::int64_t b = 0; b < samples; ++b) {
        T* sums = partial + b * pieces * cols;
        add_rows(sums + cols, cols, pieces - 1, cols, sums);
        Out* to = out.as<Out>() + b * out.row_stride;
        if (accumulate) {
          map_elements(
              cols, to, [](Vec<T> a, Vec<T> c) { return a + c; }, static_cast<const Out*>(to),
              static_cast<const T*>(sums));
        } else {
          map_elements(
              cols, to, [](Vec<T> a) { return a; }, static_cast<const T*>(sums));
        }
      }
    };
    if (out.dtype == x.dtype) {
      finish.template operator()<S>();
    } else {
      finish.template operator()<T>();
    }
  });
}

void CpuKernels::dropout(const View& in, float p, const RandomKey& key, const View& out) {
  check_float(in, "dropout", "in");
  check_like(out, in, "dropout", "out");
  check_packed(in, "dropout", "in");
  check_packed(out, "dropout", "out");
  check_kernel(p >= 0.0F && p < 1.0F, "dropout", "p must be in [0, 1); it is " + std::to_string(p));
  check_kernel(in.count() < (std::int64_t{1} << 34), "dropout", "more than 2^34 elements");
  dispatch_float(in.dtype, [&]<typename S>() {
    using T = accumulator_t<S>;
    const T factor = T(1) / (T(1) - static_cast<T>(p));
    for_ranges(pool_, ceil_div(in.count(), 4), kElementGrain / 4,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t block = begin; block < end; ++block) {
                   const auto words = random_block(key, static_cast<std::uint32_t>(block));
                   const std::int64_t n = std::min<std::int64_t>(4, in.count() - 4 * block);
                   for (std::int64_t i = 0; i < n; ++i) {
                     const std::int64_t e = 4 * block + i;
                     const bool keep = uniform_from_bits(words[static_cast<std::size_t>(i)]) >= p;
                     // x·0 would turn a dropped infinity into NaN.
                     out.as<S>()[e] = keep ? S(static_cast<T>(in.as<S>()[e]) * factor) : S(T(0));
                   }
                 }
               });
  });
}

}  // namespace mantissa::MANTISSA_ISA
