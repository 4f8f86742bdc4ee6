#pragma once
// Rounding to the numbers of a format, for statistics.

#include <bit>
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/statistics.h"

namespace mantissa {

/// Rounding of finite floats >= 0 to a format's numbers, ignoring its maximum. fp64 counts as fp32.
template <DType kFormat>
struct FormatGrid {
  static constexpr FloatFormat kLimits = float_format(kFormat == DType::f64 ? DType::f32 : kFormat);
  static constexpr auto kMax = static_cast<float>(kLimits.max);
  static constexpr auto kMinNormal = static_cast<float>(kLimits.min_normal);
  /// Numbers below it are one smallest subnormal apart: all that int8 has.
  static constexpr float kEvenBelow = kFormat == DType::i8 ? kMax + 1.0F : kMinNormal;
  /// Its ulp is the smallest subnormal: adding and subtracting it rounds to that.
  static constexpr auto kSubnormalUnit = static_cast<float>(kLimits.min_subnormal * 0x1p23);
  static constexpr int kShift = 23 - kLimits.mantissa_bits;

  MANTISSA_HD static inline float round(float a) {
    if constexpr (kShift == 0) {
      return a;
    } else {
      const auto bits = std::bit_cast<std::uint32_t>(a);
      const std::uint32_t normal =
          (bits + ((1u << (kShift - 1)) - 1) + ((bits >> kShift) & 1u)) & ~((1u << kShift) - 1);
      const float subnormal = (a + kSubnormalUnit) - kSubnormalUnit;
      return a < kEvenBelow ? subnormal : std::bit_cast<float>(normal);
    }
  }
};

/// Calls f<FormatGrid of `format`>().
template <typename F>
void dispatch_format_grid(DType format, F&& f) {
  switch (format) {
    case DType::f16:
      return f.template operator()<FormatGrid<DType::f16>>();
    case DType::bf16:
      return f.template operator()<FormatGrid<DType::bf16>>();
    case DType::f8_e4m3:
      return f.template operator()<FormatGrid<DType::f8_e4m3>>();
    case DType::f8_e5m2:
      return f.template operator()<FormatGrid<DType::f8_e5m2>>();
    case DType::i8:
      return f.template operator()<FormatGrid<DType::i8>>();
    default:
      return f.template operator()<FormatGrid<DType::f32>>();
  }
}

}  // namespace mantissa
