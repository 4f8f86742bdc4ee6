// FP8 codes and their scales, and TF32's rounding (arXiv 2209.05433).
#include <cmath>
#include <type_traits>

#include "kernels/check_quant.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/fp8.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The largest finite |x·factor| of a run; infinities and NaN are ignored.
template <typename S>
float largest(const S* x, const float* factor, std::int64_t n) {
  float most = 0.0F;
  for (std::int64_t i = 0; i < n; ++i) {
    const float a = std::fabs(static_cast<float>(x[i]) * (factor != nullptr ? factor[i] : 1.0F));
    most = a > most && a <= 3.402823466e+38F ? a : most;
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
  const float* factor = column_factor ? column_factor.as<float>() : nullptr;
  dispatch_float(in.dtype, [&]<typename S>() {
    if constexpr (!std::is_same_v<S, double>) {
      dispatch_fp8(out.dtype, [&]<typename F>() {
        const auto row = [&](std::int64_t r) { return in.as<S>() + r * in.row_stride; };
        auto* amax =
            static_cast<float*>(scratch_.shared(static_cast<std::size_t>(rows) * sizeof(float)));
        for_ranges(pool_, rows, row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t r = begin; r < end; ++r) {
            amax[r] = largest(row(r), factor, cols);
          }
        });
        float* scales = scale.as<float>();
        if (by_row) {
          for (std::int64_t r = 0; r < rows; ++r) {
            scales[r] = fp8_scale(amax[r], Fp8Format<F>::kMax);
          }
        } else {
          scales[0] = fp8_scale(*std::max_element(amax, amax + rows), Fp8Format<F>::kMax);
        }
        if (delayed) {
          float* state = delayed.as<float>();
          state[1] = std::max(state[1], *std::max_element(amax, amax + rows));
          scales[0] = state[0] > 0.0F ? state[0] : scales[0];
        }
        for_ranges(pool_, rows, row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t r = begin; r < end; ++r) {
            const float inverse = 1.0F / scales[by_row ? r : 0];
            const S* from = row(r);
            auto* to = out.as<std::uint8_t>() + r * cols;
            if (factor != nullptr) {
              for (std::int64_t i = 0; i < cols; ++i) {
                to[i] = encode_fp8<F>(static_cast<float>(from[i]) * factor[i] * inverse);
              }
            } else {
              for (std::int64_t i = 0; i < cols; ++i) {
                to[i] = encode_fp8<F>(static_cast<float>(from[i]) * inverse);
              }
            }
          }
        });
      });
    }
  });
}

void CpuKernels::dequantize(const View& in, const View& scale, const View& out) {
  check_dequantize(in, scale, out);
  const std::int64_t cols = in.cols();
  const std::int64_t step = scale.count() == 1 ? 0 : 1;
  dispatch_fp8(in.dtype, [&]<typename F>() {
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
