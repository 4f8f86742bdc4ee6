#include <cstring>
#include <type_traits>

#include "kernels/cpu/backend.h"
#include "kernels/op_checks.h"

namespace mantissa::MANTISSA_ISA {

namespace {

template <typename From, typename To>
void convert(const From* in, To* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<From, To>) {
      out[i] = in[i];
    } else if constexpr (std::is_same_v<From, double>) {
      // A single rounding to a narrow type, via float with a sticky bit (round to odd).
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

}  // namespace

void CpuKernels::copy(const View& in, const View& out) {
  check_copy(in, out);
  if (in.dtype == out.dtype) {
    const std::size_t size = dtype_size(in.dtype);
    for_elements(pool_, {&in, &out}, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
      std::memmove(out.as<char>() + static_cast<std::size_t>(r * out.row_stride + c) * size,
                   in.as<char>() + static_cast<std::size_t>(r * in.row_stride + c) * size,
                   static_cast<std::size_t>(n) * size);
    });
    return;
  }
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

namespace {

/// Rows of `bytes` = kBytes, or of any length if that is 0: a copy of a fixed size is one move.
template <std::size_t kBytes>
void swap_rows(ThreadPool& pool, const View& in, const View& out, std::size_t bytes) {
  const std::int64_t m = in.shape[1], n = in.shape[2];
  for_ranges(pool, out.rows(), row_grain(in.cols()),
             [&](std::int64_t begin, std::int64_t end, int) {
               std::int64_t outer = begin / (m * n), j = begin / m % n, i = begin % m;
               char* to = out.as<char>() + static_cast<std::size_t>(begin) * bytes;
               for (std::int64_t r = begin; r < end; ++r, to += bytes) {
                 const char* from =
                     in.as<char>() + static_cast<std::size_t>((outer * m + i) * n + j) * bytes;
                 std::memcpy(to, from, kBytes == 0 ? bytes : kBytes);
                 if (++i == m) {
                   i = 0;
                   if (++j == n) {
                     j = 0;
                     ++outer;
                   }
                 }
               }
             });
}

}  // namespace

void CpuKernels::swap_middle(const View& in, const View& out) {
  check_swap_middle(in, out);
  const std::size_t bytes = static_cast<std::size_t>(in.cols()) * dtype_size(in.dtype);
  switch (bytes) {
    case 2:
      return swap_rows<2>(pool_, in, out, bytes);
    case 4:
      return swap_rows<4>(pool_, in, out, bytes);
    case 8:
      return swap_rows<8>(pool_, in, out, bytes);
    default:
      return swap_rows<0>(pool_, in, out, bytes);
  }
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

void CpuKernels::dropout(const View& in, float p, const RandomKey& key, const View& out) {
  check_dropout(in, p, out);
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
