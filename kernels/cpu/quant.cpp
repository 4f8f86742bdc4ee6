// Codes and their scales, and TF32's rounding.
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/check_quant.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The largest finite |x·factor| of a run. Where a value isn't finite: NaN for a format without
/// NaN, else it is ignored.
template <typename F, typename S>
float largest(const S* x, const float* factor, std::int64_t n) {
  constexpr int kLanes = Vec<float>::kLanes;
  Vec<float> most(0.0F), odd(0.0F);  // odd: 0, or NaN after a value that isn't finite
  const auto take = [&](Vec<float> a) {
    most = vmax(most, vabs(a));
    odd = odd + a * Vec<float>(0.0F);
  };
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    take(factor == nullptr ? load(x + i) : load(x + i) * load(factor + i));
  }
  if (i < n) {
    const auto rest = static_cast<int>(n - i);
    take(factor == nullptr ? load_n(x + i, rest) : load_n(x + i, rest) * load_n(factor + i, rest));
  }
  if (sum_lanes(odd) == 0.0F) {
    return max_lanes(most);
  }
  if constexpr (!CodeFormat<F>::kHasNan) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  float finite = 0.0F;
  for (i = 0; i < n; ++i) {
    const float a = std::fabs(static_cast<float>(x[i]) * (factor != nullptr ? factor[i] : 1.0F));
    finite = a > finite && a <= std::numeric_limits<float>::max() ? a : finite;
  }
  return finite;
}

/// Codes of x·factor·inverse.
template <typename F, typename S>
void encode_row(const S* x, const float* factor, float inverse, std::int64_t n, std::uint8_t* to) {
  std::int64_t i = 0;
#if defined(__AVX512F__) && defined(__AVX512BW__)
  if constexpr (std::is_same_v<F, int8_code>) {
    const Vec<float> most(CodeFormat<F>::kMax), least(-CodeFormat<F>::kMax);
    for (; i + 16 <= n; i += 16) {
      const Vec<float> value = factor == nullptr ? load(x + i) : load(x + i) * load(factor + i);
      const Vec<float> y = vmin(vmax(value * Vec<float>(inverse), least), most);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(y.v)));
    }
  }
#endif
  if (factor != nullptr) {
    for (; i < n; ++i) {
      to[i] = CodeFormat<F>::encode(static_cast<float>(x[i]) * factor[i] * inverse);
    }
  } else {
    for (; i < n; ++i) {
      to[i] = CodeFormat<F>::encode(static_cast<float>(x[i]) * inverse);
    }
  }
}

float* floats_of_thread(Scratch& scratch, int thread, std::int64_t count) {
  return static_cast<float*>(
      scratch.of_thread(thread, static_cast<std::size_t>(count) * sizeof(float)));
}

/// The largest; NaN if any is.
float largest_of(const float* amax, std::int64_t n) {
  float most = 0.0F;
  for (std::int64_t i = 0; i < n; ++i) {
    most = amax[i] > most || std::isnan(amax[i]) ? amax[i] : most;
  }
  return most;
}

}  // namespace

void CpuKernels::quantize(const View& in, const View& column_factor, const View& out,
                          const View& scale, const View& delayed) {
  check_quantize(in, column_factor, out, scale, delayed);
  const std::int64_t rows = in.rows(), cols = in.cols();
  const bool by_row = scale.count() != 1 || rows == 1;
  if (in.count() == 0) {
    return;
  }
  if (is_blocked(out.dtype)) {
    quantize_blocks(in, out);
    return;
  }
  if (out.dtype == DType::i8_rotated) {
    quantize_rotated(in, out, scale);
    return;
  }
  const float* factor = column_factor ? column_factor.as<float>() : nullptr;
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      dispatch_codes(out.dtype, [&]<typename F>() {
        const auto row = [&](std::int64_t r) { return in.as<S>() + r * in.row_stride; };
        auto* amax =
            static_cast<float*>(scratch_.shared(static_cast<std::size_t>(rows) * sizeof(float)));
        for_ranges(pool_, rows, row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t r = begin; r < end; ++r) {
            amax[r] = largest<F>(row(r), factor, cols);
          }
        });
        float* scales = scale.as<float>();
        if (by_row) {
          for (std::int64_t r = 0; r < rows; ++r) {
            scales[r] = code_scale(amax[r], CodeFormat<F>::kMax);
          }
        } else {
          scales[0] = code_scale(largest_of(amax, rows), CodeFormat<F>::kMax);
        }
        if (delayed) {
          float* state = delayed.as<float>();
          state[1] = std::max(state[1], largest_of(amax, rows));
          scales[0] = state[0] > 0.0F ? state[0] : scales[0];
        }
        for_ranges(pool_, rows, row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t r = begin; r < end; ++r) {
            const float inverse = 1.0F / scales[by_row ? r : 0];
            encode_row<F>(row(r), factor, inverse, cols, out.as<std::uint8_t>() + r * cols);
          }
        });
      });
    }
  });
}

void CpuKernels::dequantize(const View& in, const View& scale, const View& out) {
  check_dequantize(in, scale, out);
  if (is_blocked(in.dtype)) {
    dequantize_blocks(in, out);
    return;
  }
  if (in.dtype == DType::i8_rotated) {
    dequantize_rotated(in, scale, out);
    return;
  }
  const std::int64_t cols = in.cols();
  const std::int64_t step = scale.count() == 1 ? 0 : 1;
  dispatch_codes(in.dtype, [&]<typename F>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = begin; r < end; ++r) {
          const float s = scale.as<float>()[r * step];
          const F* from = in.as<F>() + r * cols;
          S* to = out.as<S>() + r * out.row_stride;
          if constexpr (std::is_same_v<S, double>) {
            for (std::int64_t i = 0; i < cols; ++i) {
              to[i] = static_cast<double>(static_cast<float>(from[i]) * s);
            }
          } else {
            decode<S>(from, cols, s, to);
          }
        }
      });
    });
  });
}

void CpuKernels::quantize_rotated(const View& in, const View& out, const View& scale) {
  const std::int64_t cols = in.cols();
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      for_ranges(
          pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int thread) {
            float* row = floats_of_thread(scratch_, thread, cols);
            for (std::int64_t r = begin; r < end; ++r) {
              store_run(in.as<S>() + r * in.row_stride, cols, row);
              rotate_fast(row, cols, rotation_group(cols));
              const float s =
                  code_scale(largest<int8_code>(row, nullptr, cols), CodeFormat<int8_code>::kMax);
              scale.as<float>()[r] = s;
              encode_row<int8_code>(row, nullptr, 1.0F / s, cols,
                                    out.as<std::uint8_t>() + r * cols);
            }
          });
    }
  });
}

void CpuKernels::dequantize_rotated(const View& in, const View& scale, const View& out) {
  const std::int64_t cols = in.cols(), step = scale.count() == 1 ? 0 : 1;
  dispatch_float(out.dtype, [&]<typename S>() {
    for_ranges(
        pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int thread) {
          float* row = floats_of_thread(scratch_, thread, cols);
          for (std::int64_t r = begin; r < end; ++r) {
            decode<float>(in.as<int8_code>() + r * cols, cols, scale.as<float>()[r * step], row);
            rotate_fast(row, cols, rotation_group(cols));
            S* to = out.as<S>() + r * out.row_stride;
            if constexpr (std::is_same_v<S, double>) {
              std::copy(row, row + cols, to);
            } else {
              store_run(row, cols, to);
            }
          }
        });
  });
}

std::vector<float> CpuKernels::rotated_fp32(const View& in) {
  const std::int64_t cols = in.cols();
  std::vector<float> out(static_cast<std::size_t>(in.count()));
  dispatch_float(in.dtype, [&]<typename S>() {
    for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t r = begin; r < end; ++r) {
        float* row = out.data() + r * cols;
        const S* from = in.as<S>() + r * in.row_stride;
        std::transform(from, from + cols, row, [](S x) { return static_cast<float>(x); });
        rotate_fast(row, cols, rotation_group(cols));
      }
    });
  });
  return out;
}

void CpuKernels::rotate(const View& in, const View& addend, const View& out) {
  check_rotate(in, addend, out);
  const std::int64_t cols = in.cols();
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      for_ranges(pool_, in.rows(), row_grain(cols),
                 [&](std::int64_t begin, std::int64_t end, int thread) {
                   float* row = floats_of_thread(scratch_, thread, cols);
                   for (std::int64_t r = begin; r < end; ++r) {
                     store_run(in.as<S>() + r * in.row_stride, cols, row);
                     rotate_fast(row, cols, rotation_group(cols));
                     for (std::int64_t i = 0; addend && i < cols; ++i) {
                       row[i] += static_cast<float>(addend.as<S>()[r * addend.row_stride + i]);
                     }
                     store_run(row, cols, out.as<S>() + r * out.row_stride);
                   }
                 });
    }
  });
}

View CpuKernels::rounded_tf32(const View& x, int slot) {
  if (x.dtype != DType::f32 || x.count() == 0) {
    return x;
  }
  View out(scratch_.shared(static_cast<std::size_t>(x.count()) * sizeof(float), slot), DType::f32,
           x.shape);
  const std::int64_t cols = x.cols();
  for_ranges(pool_, x.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t r = begin; r < end; ++r) {
      const auto* from = x.as<std::uint32_t>() + r * x.row_stride;
      auto* to = out.as<std::uint32_t>() + r * cols;
      for (std::int64_t i = 0; i < cols; ++i) {
        const std::uint32_t rounded = (from[i] + 0xfffu + ((from[i] >> 13) & 1u)) & 0xffffe000u;
        to[i] = (from[i] & 0x7f800000u) == 0x7f800000u ? from[i] : rounded;
      }
    }
  });
  return out;
}

}  // namespace mantissa::MANTISSA_ISA
