// Codes and their scales, and TF32's rounding.
#include <cmath>
#include <type_traits>

#include "kernels/check_quant.h"
#include "kernels/cpu/backend.h"
#include "kernels/cpu/codes.h"
#include "kernels/cpu/encode.h"
#include "kernels/weight_codes.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// The largest; NaN if any is.
float largest_of(const float* amax, std::int64_t n) {
  float most = 0.0F;
  for (std::int64_t i = 0; i < n; ++i) {
    most = amax[i] > most || std::isnan(amax[i]) ? amax[i] : most;
  }
  return most;
}

}  // namespace

void CpuKernels::quantize_codes(const View& in, const View& column_factor, const View& out,
                                const View& scale, const View& delayed) {
  const std::int64_t rows = in.rows(), cols = in.cols();
  const bool by_row = scale.count() != 1 || rows == 1;
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

void CpuKernels::dequantize_codes(const View& in, const View& scale, const View& out) {
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
