#pragma once
// The rotation of int8_convrot, the same on every backend: each group of a row's values is
// multiplied by H ⊗ H ⊗ … of the orthogonal and symmetric
//
//     H = ½ [ 1 1 1 -1;  1 1 -1 1;  1 -1 1 1;  -1 1 1 1 ],
//
// which spreads a row's large values over the group, so that the row's scale has less to span. It
// is its own inverse; a product x·Wᵀ stays the same if the rows of both are rotated.

#include <cstdint>

#include "kernels/host_device.h"

namespace mantissa {

inline constexpr std::int64_t kMostRotated = 256;

/// How many neighbours of a row of `cols` values are rotated together: the largest power of four up
/// to 256 that divides them; 1 if none does.
constexpr std::int64_t rotation_group(std::int64_t cols) {
  std::int64_t group = kMostRotated;
  while (cols % group != 0) {
    group /= 4;
  }
  return group;
}

/// The four values times H. A group is rotated factor by factor: all values `stride` apart, for
/// stride 1, 4, 16, …
MANTISSA_HD inline void rotate_four(float& a, float& b, float& c, float& d) {
  const float half = (a + b + c + d) * 0.5F;
  const float first = half - d, second = half - c, third = half - b, fourth = half - a;
  a = first;
  b = second;
  c = third;
  d = fourth;
}

/// Rotates n values in groups, in place. `group` is a power of four that divides n.
inline void rotate_groups(float* values, std::int64_t n, std::int64_t group) {
  for (std::int64_t stride = 1; stride < group; stride *= 4) {
    for (std::int64_t begin = 0; begin < n; begin += 4 * stride) {
      for (float* at = values + begin; at < values + begin + stride; ++at) {
        rotate_four(at[0], at[stride], at[2 * stride], at[3 * stride]);
      }
    }
  }
}

}  // namespace mantissa
