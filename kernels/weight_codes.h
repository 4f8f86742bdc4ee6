#pragma once
// The formats in which a weight is codes of one byte times a scale: the same on every backend. A
// format is its row here, CodeFormat, and a value of DType.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "kernels/dtype.h"
#include "kernels/host_device.h"

namespace mantissa {

/// A format: `kMax`, its largest number; `encode`, the code of x, rounded to nearest even and
/// clamped, without branches, so that loops vectorize; and whether it has a code for NaN. If not,
/// the scale of values that aren't all finite is NaN, and so are all values decoded with it.
template <typename F>
struct CodeFormat;

/// FP8 (arXiv 2209.05433).
template <int kManBits, int kBias, std::uint32_t kInf, std::uint32_t kNan>
struct Fp8Encoder {
  static constexpr bool kHasNan = true;
  static constexpr int kShift = 23 - kManBits, kBiasGap = 127 - kBias;
  static constexpr float kMinNormal =
      std::bit_cast<float>(static_cast<std::uint32_t>(128 - kBias) << 23);
  /// Its ulp is the smallest subnormal.
  static constexpr float kSubnormalUnit =
      std::bit_cast<float>(static_cast<std::uint32_t>(128 - kBias + kShift) << 23);

  MANTISSA_HD static inline std::uint8_t encode_below(float x, float most) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    const float size = std::bit_cast<float>(magnitude);
    const float a = most < size ? most : size;
    const auto clamped = std::bit_cast<std::uint32_t>(a);
    const std::uint32_t normal =
        ((clamped + ((1u << (kShift - 1)) - 1) + ((clamped >> kShift) & 1u)) >> kShift) -
        (static_cast<std::uint32_t>(kBiasGap) << kManBits);
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(a + kSubnormalUnit) & 0x7fffffu;
    std::uint32_t code = a < kMinNormal ? subnormal : normal;
    code = magnitude == 0x7f800000u ? kInf : code;
    code = magnitude > 0x7f800000u ? kNan : code;
    return static_cast<std::uint8_t>(code | ((bits >> 31) << 7));
  }
};
template <>
struct CodeFormat<float8_e4m3> : Fp8Encoder<3, 7, 0x7f, 0x7f> {
  static constexpr float kMax = 448.0F;
  MANTISSA_HD static inline std::uint8_t encode(float x) { return encode_below(x, kMax); }
};
template <>
struct CodeFormat<float8_e5m2> : Fp8Encoder<2, 15, 0x7c, 0x7e> {
  static constexpr float kMax = 57344.0F;
  MANTISSA_HD static inline std::uint8_t encode(float x) { return encode_below(x, kMax); }
};
template <>
struct CodeFormat<int8_code> {
  static constexpr bool kHasNan = false;
  static constexpr float kMax = 127.0F;
  MANTISSA_HD static inline std::uint8_t encode(float x) {
    const float least = -kMax < x ? x : -kMax;
    const float within = least < kMax ? least : kMax;
    // Adding 1.5·2^23 rounds to whole numbers and leaves them in the lowest bits. Not a number:
    // -127 after the first comparison.
    return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(within + 0x1.8p23F) & 0xffu);
  }
};

/// The scale of codes, for values up to `amax`; NaN for NaN.
MANTISSA_HD inline float code_scale(float amax, float format_max) {
  const float scale = amax / format_max;
  // Below this the inverse overflows: the values are effectively zero.
  return scale < 0x1p-126F ? 1.0F : scale;
}

/// Calls f<F>() with the type of a code.
template <typename Fn>
void dispatch_codes(DType d, Fn&& f) {
  switch (d) {
    case DType::f8_e4m3:
      return f.template operator()<float8_e4m3>();
    case DType::f8_e5m2:
      return f.template operator()<float8_e5m2>();
    case DType::i8:
    case DType::i8_rotated:
      return f.template operator()<int8_code>();
    default:
      throw std::invalid_argument("dispatch_codes: FP8 or int8 codes expected");
  }
}

}  // namespace mantissa
