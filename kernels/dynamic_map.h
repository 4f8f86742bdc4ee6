#pragma once
// The 8-bit "dynamic tree" number format of arXiv 1511.04561 and 2110.02861: seven decades below 1,
// each half as densely filled as the one above it.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace mantissa {

/// The 256 values in rising order. Decade i of 0..6 spans 10^(i-6)·[0.1, 1] and holds 2^i values of
/// either sign, or 2^(i+1) unsigned, at the midpoints of equal parts; 0 and 1 complete the map.
constexpr std::array<float, 256> dynamic_map(bool with_sign) {
  constexpr double kDecade[7] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
  std::array<double, 256> positive{};
  int n = 0;
  for (int i = 0; i < 7; ++i) {
    const int parts = 1 << (with_sign ? i : i + 1);
    for (int j = 0; j < parts; ++j) {
      positive[static_cast<std::size_t>(n++)] = kDecade[i] * (0.1 + 0.9 * (j + 0.5) / parts);
    }
  }
  std::array<float, 256> map{};
  std::size_t at = 0;
  if (with_sign) {
    for (int i = n - 1; i >= 0; --i) {
      map[at++] = static_cast<float>(-positive[static_cast<std::size_t>(i)]);
    }
  }
  map[at++] = 0.0F;
  for (int i = 0; i < n; ++i) {
    map[at++] = static_cast<float>(positive[static_cast<std::size_t>(i)]);
  }
  map[at] = 1.0F;
  return map;
}

/// Nearest code by one table lookup and one comparison: the upper 16 bits of a float select a
/// bucket, and no bucket contains more than one midpoint between two codes.
class DynamicQuantizer {
 public:
  constexpr explicit DynamicQuantizer(bool with_sign) : map_(dynamic_map(with_sign)) {
    for (std::size_t i = 0; i < 255; ++i) {
      middle_[i] = 0.5F * map_[i] + 0.5F * map_[i + 1];
    }
    middle_[255] = 2.0F;  // no code above the last
    // The bucket's least code: that of its end nearer to -1.
    std::size_t code = 0;
    for (std::int32_t b = 0; b < kBuckets; ++b) {
      while (middle_[code] < lower_edge(b)) {
        ++code;
      }
      least_[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(code);
    }
    code = 0;
    for (std::int32_t b = kBuckets - 1; b >= 0; --b) {
      const float edge = b + 1 < kBuckets ? -lower_edge(b + 1) : -1.0F;
      while (middle_[code] < edge) {
        ++code;
      }
      least_[static_cast<std::size_t>(kBuckets + b)] = static_cast<std::uint8_t>(code);
    }
  }

  constexpr float value(std::uint8_t code) const { return map_[code]; }
  constexpr const std::array<float, 256>& values() const { return map_; }

  /// Nearest code of x in [-1, 1]; the lower one for a midpoint.
  constexpr std::uint8_t code(float x) const { return code_in(bucket(x), x); }

  /// The two halves of `code`, for loops that a compiler can vectorize.
  static constexpr std::int32_t bucket(float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    const std::int32_t key = ((bits & 0x7fffffff) >> 16) - kFirstKey;
    return std::min(std::max(key, 0), kBuckets - 1) + (bits < 0 ? kBuckets : 0);
  }
  constexpr std::uint8_t code_in(std::int32_t bucket, float x) const {
    const std::uint8_t low = least_[static_cast<std::size_t>(bucket)];
    return static_cast<std::uint8_t>(low + (x > middle_[low] ? 1 : 0));
  }

 private:
  static constexpr std::int32_t kFirstKey = (127 - 24) << 7;  ///< all below 2^-24 in the first
  static constexpr std::int32_t kBuckets = 24 * 128 + 1;      ///< up to 1, of either sign
  static constexpr float lower_edge(std::int32_t bucket) {
    return bucket == 0 ? 0.0F : std::bit_cast<float>((bucket + kFirstKey) << 16);
  }
  std::array<float, 256> map_{}, middle_{};
  std::array<std::uint8_t, std::size_t{2} * kBuckets> least_{};  ///< positive, then negative
};

inline constexpr DynamicQuantizer kSignedMap{true}, kUnsignedMap{false};

}  // namespace mantissa
