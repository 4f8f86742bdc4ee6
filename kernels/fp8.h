#pragma once
// FP8 codes (arXiv 2209.05433), the same on every backend.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/host_device.h"

namespace mantissa {

/// Encoder constants of a format.
template <typename F>
struct Fp8Format;
template <>
struct Fp8Format<float8_e4m3> {
  static constexpr int kManBits = 3, kBiasGap = 127 - 7;
  static constexpr float kMax = 448.0F, kMinNormal = 0x1p-6F;
  static constexpr float kSubnormalUnit = 0x1p14F;  ///< its ulp is the smallest subnormal, 2^-9
  static constexpr std::uint32_t kInf = 0x7f, kNan = 0x7f;
};
template <>
struct Fp8Format<float8_e5m2> {
  static constexpr int kManBits = 2, kBiasGap = 127 - 15;
  static constexpr float kMax = 57344.0F, kMinNormal = 0x1p-14F;
  static constexpr float kSubnormalUnit = 0x1p7F;  ///< 2^-16
  static constexpr std::uint32_t kInf = 0x7c, kNan = 0x7e;
};

/// The code of x, clamped to the format's range. Branch-free, so that loops vectorize.
template <typename F>
MANTISSA_HD inline std::uint8_t encode_fp8(float x) {
  using Format = Fp8Format<F>;
  constexpr int kShift = 23 - Format::kManBits;
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  constexpr float kMax = Format::kMax;
  const float size = std::bit_cast<float>(magnitude);
  const float a = kMax < size ? kMax : size;
  const auto clamped = std::bit_cast<std::uint32_t>(a);
  const std::uint32_t normal =
      ((clamped + ((1u << (kShift - 1)) - 1) + ((clamped >> kShift) & 1u)) >> kShift) -
      (static_cast<std::uint32_t>(Format::kBiasGap) << Format::kManBits);
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(a + Format::kSubnormalUnit) & 0x7fffffu;
  std::uint32_t code = a < Format::kMinNormal ? subnormal : normal;
  code = magnitude == 0x7f800000u ? Format::kInf : code;
  code = magnitude > 0x7f800000u ? Format::kNan : code;
  return static_cast<std::uint8_t>(code | ((bits >> 31) << 7));
}

/// The scale of codes, for values up to `amax`.
MANTISSA_HD inline float fp8_scale(float amax, float format_max) {
  const float scale = amax / format_max;
  // Below this the inverse overflows: the values are effectively zero.
  return scale >= 0x1p-126F ? scale : 1.0F;
}

/// Calls f<float8_e4m3>() or f<float8_e5m2>().
template <typename Fn>
void dispatch_fp8(DType d, Fn&& f) {
  d == DType::f8_e4m3 ? f.template operator()<float8_e4m3>() : f.template operator()<float8_e5m2>();
}

}  // namespace mantissa
