#pragma once
// Rotates rows in groups: see kernels/rotation.h.

#include <cstdint>

#include "kernels/cpu/simd.h"
#include "kernels/rotation.h"

namespace mantissa::MANTISSA_ISA {

inline constexpr int kRotationSide = 16;  ///< a group as a square
static_assert(kRotationSide * kRotationSide == kMostRotated);

/// The square's rows, `kStride` apart, by fours.
template <int kStride>
MANTISSA_INLINE void rotate_rows(float* square) {
  constexpr int kStep = kStride * kRotationSide;
  for (int block = 0; block < kRotationSide; block += 4 * kStride) {
    for (int row = block; row < block + kStride; ++row) {
      float* first = square + row * kRotationSide;
      for (int i = 0; i < kRotationSide; ++i) {
        rotate_four(first[i], first[i + kStep], first[i + 2 * kStep], first[i + 3 * kStep]);
      }
    }
  }
}

inline void transpose_square(const float* from, float* to) {
  for (int i = 0; i < kRotationSide; ++i) {
    for (int j = 0; j < kRotationSide; ++j) {
      to[j * kRotationSide + i] = from[i * kRotationSide + j];
    }
  }
}

/// A group of 256, in place. Neighbours are combined first: as rows of the transposed square, for
/// whole registers.
inline void rotate_square(float* group) {
  alignas(64) float turned[kMostRotated];
  transpose_square(group, turned);
  rotate_rows<1>(turned);
  rotate_rows<4>(turned);
  transpose_square(turned, group);
  rotate_rows<1>(group);
  rotate_rows<4>(group);
}

/// rotate_groups to the bit, faster.
inline void rotate_fast(float* values, std::int64_t n, std::int64_t group) {
  if (group < kMostRotated) {
    rotate_groups(values, n, group);
    return;
  }
  for (float* at = values; at < values + n; at += kMostRotated) {
    rotate_square(at);
  }
}

/// Converts n values, by way of fp32.
template <typename From, typename To>
MANTISSA_INLINE void store_run(const From* from, std::int64_t n, To* to) {
  constexpr int kLanes = Vec<float>::kLanes;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    store(to + i, load(from + i));
  }
  if (i < n) {
    const auto rest = static_cast<int>(n - i);
    store_n(to + i, load_n(from + i, rest), rest);
  }
}

}  // namespace mantissa::MANTISSA_ISA
