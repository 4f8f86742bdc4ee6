// FP8 codes and their scales, and TF32's rounding (arXiv 2209.05433).
#include <array>
#include <bit>
#include <cmath>

#include "kernels/cpu/backend.h"

namespace mantissa::MANTISSA_ISA {

namespace {

/// What the encoder needs to know of a format.
template <typename F>
struct Format;
template <>
struct Format<float8_e4m3> {
  static constexpr int kManBits = 3, kBiasGap = 127 - 7;
  static constexpr float kMax = 448.0F, kMinNormal = 0x1p-6F;
  static constexpr float kSubnormalUnit = 0x1p14F;  ///< its ulp is the smallest subnormal, 2^-9
  static constexpr std::uint32_t kInf = 0x7f, kNan = 0x7f;
};
template <>
struct Format<float8_e5m2> {
  static constexpr int kManBits = 2, kBiasGap = 127 - 15;
  static constexpr float kMax = 57344.0F, kMinNormal = 0x1p-14F;
  static constexpr float kSubnormalUnit = 0x1p7F;  ///< 2^-16
  static constexpr std::uint32_t kInf = 0x7c, kNan = 0x7e;
};

/// The code of x, clamped to the format's range. No branches, so that loops become vectors.
template <typename F>
MANTISSA_INLINE std::uint8_t encode(float x) {
  using Fmt = Format<F>;
  constexpr int kShift = 23 - Fmt::kManBits;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const float a = std::min(std::bit_cast<float>(magnitude), Fmt::kMax);
  const auto clamped = std::bit_cast<std::uint32_t>(a);
  const std::uint32_t normal =
      ((clamped + ((1u << (kShift - 1)) - 1) + ((clamped >> kShift) & 1u)) >> kShift) -
      (static_cast<std::uint32_t>(Fmt::kBiasGap) << Fmt::kManBits);
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(a + Fmt::kSubnormalUnit) & 0x7fffffu;
  std::uint32_t code = a < Fmt::kMinNormal ? subnormal : normal;
  code = magnitude == 0x7f800000u ? Fmt::kInf : code;
  code = magnitude > 0x7f800000u ? Fmt::kNan : code;
  return static_cast<std::uint8_t>(code | ((bits >> 31) << 7));
}

template <typename F>
constexpr std::array<float, 256> decode_table() {
  std::array<float, 256> table{};
  for (int i = 0; i < 256; ++i) {
    F code{};
    code.bits = static_cast<std::uint8_t>(i);
    table[static_cast<std::size_t>(i)] = static_cast<float>(code);
  }
  return table;
}
template <typename F>
constexpr std::array<float, 256> kDecode = decode_table<F>();

template <typename Fn>
void dispatch_fp8(DType d, Fn&& f) {
  d == DType::f8_e4m3 ? f.template operator()<float8_e4m3>() : f.template operator()<float8_e5m2>();
}

/// Finite or not, the largest |x·factor| of a run; infinities and NaN are left out.
template <typename S>
float largest(const S* x, const float* factor, std::int64_t n) {
  float most = 0.0F;
  for (std::int64_t i = 0; i < n; ++i) {
    const float a = std::fabs(static_cast<float>(x[i]) * (factor != nullptr ? factor[i] : 1.0F));
    most = a > most && a <= 3.402823466e+38F ? a : most;
  }
  return most;
}

float scale_for(float amax, float format_max) {
  const float scale = amax / format_max;
  // Below this the inverse overflows: the values are zeros as far as anyone can tell.
  return scale >= 0x1p-126F ? scale : 1.0F;
}

}  // namespace

void CpuKernels::quantize(const View& in, const View& column_factor, const View& out,
                          const View& scale, const View& delayed) {
  const char* kernel = "quantize";
  check_float(in, kernel, "in");
  check_kernel(in.dtype != DType::f64, kernel, "in must be fp32, fp16 or bf16; it is fp64");
  check_fp8(out, kernel, "out");
  check_kernel(out.count() == in.count() && out.cols() == in.cols(), kernel,
               "out must be like in, " + in.shape.str() + "; it is " + out.shape.str());
  const std::int64_t rows = in.rows(), cols = in.cols();
  const bool by_row = scale.count() != 1 || rows == 1;
  check_scales(scale, rows, kernel, "scale");
  if (column_factor) {
    check_scales(column_factor, cols, kernel, "column_factor");
    check_kernel(column_factor.count() == cols, kernel, "column_factor needs one a column");
  }
  if (delayed) {
    check_dtype(delayed, DType::f32, kernel, "delayed");
    check_kernel(delayed.count() == 2 && scale.count() == 1, kernel,
                 "delayed holds 2 values and goes with one shared scale");
  }
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
            scales[r] = scale_for(amax[r], Format<F>::kMax);
          }
        } else {
          scales[0] = scale_for(*std::max_element(amax, amax + rows), Format<F>::kMax);
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
                to[i] = encode<F>(static_cast<float>(from[i]) * factor[i] * inverse);
              }
            } else {
              for (std::int64_t i = 0; i < cols; ++i) {
                to[i] = encode<F>(static_cast<float>(from[i]) * inverse);
              }
            }
          }
        });
      });
    }
  });
}

void CpuKernels::dequantize(const View& in, const View& scale, const View& out) {
  const char* kernel = "dequantize";
  check_fp8(in, kernel, "in");
  check_float(out, kernel, "out");
  check_scales(scale, in.rows(), kernel, "scale");
  check_kernel(out.count() == in.count() && out.cols() == in.cols(), kernel,
               "out must be like in, " + in.shape.str() + "; it is " + out.shape.str());
  const std::int64_t cols = in.cols();
  const std::int64_t step = scale.count() == 1 ? 0 : 1;
  dispatch_fp8(in.dtype, [&]<typename F>() {
    dispatch_float(out.dtype, [&]<typename S>() {
      for_ranges(pool_, in.rows(), row_grain(cols), [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = begin; r < end; ++r) {
          const float s = scale.as<float>()[r * step];
          const auto* from = in.as<std::uint8_t>() + r * cols;
          S* to = out.as<S>() + r * out.row_stride;
          constexpr std::int64_t kPiece = 256;
          accumulator_t<S> values[kPiece];
          for (std::int64_t c = 0; c < cols; c += kPiece) {
            const std::int64_t n = std::min(kPiece, cols - c);
            for (std::int64_t i = 0; i < n; ++i) {
              values[i] = kDecode<F>[from[c + i]] * s;
            }
            map_elements(
                n, to + c, [](Vec<accumulator_t<S>> x) { return x; },
                static_cast<const accumulator_t<S>*>(values));
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
