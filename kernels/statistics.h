#pragma once
// Statistics of a tensor's values in a storage format.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/dtype.h"

namespace mantissa {

/// The numbers a storage format can hold (arXiv 2209.05433 for FP8). int8's are one step apart: its
/// smallest normal number is also its smallest. NF4's are shares of a block's largest value.
struct FloatFormat {
  double max = 0;            ///< largest finite
  double min_normal = 0;     ///< precision is lost below it
  double min_subnormal = 0;  ///< values below half of it round to zero
  int mantissa_bits = 0;
};

/// Format of a float dtype or codes; all zeros for the others.
constexpr FloatFormat float_format(DType d) {
  switch (d) {
    case DType::f64:
      return {1.7976931348623157e308, 0x1p-1022, 0x1p-1074, 52};
    case DType::f32:
      return {3.4028234663852886e38, 0x1p-126, 0x1p-149, 23};
    case DType::f16:
      return {65504, 0x1p-14, 0x1p-24, 10};
    case DType::bf16:
      return {3.3895313892515355e38, 0x1p-126, 0x1p-133, 7};
    case DType::f8_e4m3:
      return {448, 0x1p-6, 0x1p-9, 3};
    case DType::f8_e5m2:
      return {57344, 0x1p-14, 0x1p-16, 2};
    case DType::i8:
    case DType::i8_rotated:
      return {127, 1, 1, 6};
    case DType::nf4:
    case DType::nf4_fp32:
      return {1, 0.0795802995562553, 0.0795802995562553, 2};
    default:
      return {};
  }
}

/// Counts over a tensor x and over y = x / scale as a format would store it: rounded to nearest
/// even, clamped at its largest number. Only finite values enter sums, maxima and the histogram.
struct TensorStatistics {
  static constexpr int kBins = 64;
  static constexpr int kFirstExponent = -40;

  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t non_finite = 0;
  std::int64_t underflow = 0;  ///< nonzero, but stored as zero
  std::int64_t subnormal = 0;  ///< stored below the format's smallest normal number: fewer digits
  std::int64_t overflow = 0;   ///< rounded beyond the format's largest number
  double amax = 0;             ///< max |x|
  double scaled_amax = 0;      ///< max |y|, compared with the format's largest number
  double signal = 0;           ///< Σ x²
  double noise = 0;            ///< Σ (x - what is stored)²
  /// Bin i counts x with floor(log2 |x|) = kFirstExponent + i; values outside go to the end bins.
  std::array<std::int64_t, kBins> histogram{};

  /// Finite nonzero values: the denominator of the shares below.
  std::int64_t used() const { return count - zeros - non_finite; }
  double share(std::int64_t n) const {
    return used() > 0 ? static_cast<double>(n) / static_cast<double>(used()) : 0;
  }
  /// log2(format's largest number / max |y|): doublings left before overflow; infinite if all is
  /// zero.
  double headroom(DType format) const {
    return scaled_amax > 0 ? std::log2(float_format(format).max / scaled_amax)
                           : std::numeric_limits<double>::infinity();
  }
  /// Signal to rounding noise in dB; infinite if nothing is lost.
  double sqnr() const {
    return noise > 0 ? 10 * std::log10(signal / noise) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace mantissa
