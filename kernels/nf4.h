#pragma once
// NF4 (QLoRA: Dettmers et al., arXiv 2305.14314): weights as codes of four bits in blocks of 64,
// the same on every backend. A tensor is one run of values, row after row, cut into blocks; a code
// names one of 16 numbers, which the block's scale, its largest magnitude, multiplies. In memory:
//
//   codes    two a byte, the first in its upper half
//   scales   nf4_fp32: fp32, one a block
//            nf4: doubly quantised. fp32: a map of 256 numbers, an offset, the scale of each group
//            of 256 blocks; then a byte for each block: its number in the map. The block's scale is
//            number * scale of its group + offset
//
// Codes and scales are those of bitsandbytes, which stores the same tensors, bit for bit: but a
// block of zeros has the code of 0, so that it stays zeros whatever its scale becomes.

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/host_device.h"

namespace mantissa {

inline constexpr std::int64_t kNf4Block = 64;   ///< values that share a scale
inline constexpr std::int64_t kNf4Group = 256;  ///< blocks whose scales share a scale
inline constexpr int kNf4Map = 256;

/// The numbers that codes name: quantiles of a normal distribution, with an exact 0.
inline constexpr std::array<float, 16> kNf4Values{-1.0F,
                                                  -0.6961928009986877F,
                                                  -0.5250730514526367F,
                                                  -0.39491748809814453F,
                                                  -0.28444138169288635F,
                                                  -0.18477343022823334F,
                                                  -0.09105003625154495F,
                                                  0.0F,
                                                  0.07958029955625534F,
                                                  0.16093020141124725F,
                                                  0.24611230194568634F,
                                                  0.33791524171829224F,
                                                  0.44070982933044434F,
                                                  0.5626170039176941F,
                                                  0.7229568362236023F,
                                                  1.0F};

constexpr std::int64_t nf4_blocks(std::int64_t count) {
  return (count + kNf4Block - 1) / kNf4Block;
}
constexpr std::int64_t nf4_groups(std::int64_t count) {
  return (nf4_blocks(count) + kNf4Group - 1) / kNf4Group;
}

/// Where the parts of a tensor of `count` values lie, in bytes from its codes.
struct Nf4Layout {
  std::size_t scales = 0;       ///< fp32
  std::size_t block_codes = 0;  ///< of nf4
  std::size_t bytes = 0;        ///< of all
};
constexpr Nf4Layout nf4_layout(DType dtype, std::int64_t count) {
  constexpr std::size_t kAlignment = 64;
  const auto blocks = static_cast<std::size_t>(nf4_blocks(count));
  const auto codes = static_cast<std::size_t>((count + 1) / 2);
  Nf4Layout layout;
  layout.scales = (codes + kAlignment - 1) / kAlignment * kAlignment;
  if (dtype == DType::nf4_fp32) {
    layout.block_codes = layout.bytes = layout.scales + blocks * sizeof(float);
    return layout;
  }
  const std::size_t floats = kNf4Map + 1 + static_cast<std::size_t>(nf4_groups(count));
  layout.block_codes = layout.scales + floats * sizeof(float);
  layout.bytes = layout.block_codes + blocks;
  return layout;
}

/// A tensor's codes and scales.
struct Nf4Codes {
  std::uint8_t* codes;
  float* scales;              ///< of nf4: map, offset, scales of groups; else of blocks
  std::uint8_t* block_codes;  ///< null: `scales` are those of blocks

  MANTISSA_HD float offset() const { return scales[kNf4Map]; }
  MANTISSA_HD const float* group_scales() const { return scales + kNf4Map + 1; }
  MANTISSA_HD float scale(std::int64_t block) const {
    if (block_codes == nullptr) {
      return scales[block];
    }
#if defined(__CUDA_ARCH__)
    const float product = scales[block_codes[block]] * group_scales()[block / kNf4Group];
#else
    // Rounded before the sum: GCC would make both one operation.
    const volatile float product = scales[block_codes[block]] * group_scales()[block / kNf4Group];
#endif
    return product + offset();
  }
  MANTISSA_HD int code(std::int64_t i) const {
    return i % 2 == 0 ? codes[i / 2] >> 4 : codes[i / 2] & 15;
  }
};
inline Nf4Codes nf4_codes(void* data, DType dtype, std::int64_t count) {
  const Nf4Layout layout = nf4_layout(dtype, count);
  auto* bytes = static_cast<std::uint8_t*>(data);
  return {bytes, reinterpret_cast<float*>(bytes + layout.scales),
          dtype == DType::nf4_fp32 ? nullptr : bytes + layout.block_codes};
}

MANTISSA_HD inline float nf4_value(int code) {
  constexpr std::array<float, 16> kValues = kNf4Values;
  return kValues[static_cast<std::size_t>(code)];
}

/// What the values of a block are multiplied by for their codes; 0 for zeros and where the inverse
/// overflows: these values are effectively zero.
MANTISSA_HD inline float nf4_inverse(float largest) {
  return largest >= 0x1p-126F ? 1.0F / largest : 0.0F;
}
/// Middles between neighbouring numbers.
inline constexpr std::array<float, 15> kNf4Middles = [] {
  std::array<float, 15> middles{};
  for (std::size_t k = 0; k < middles.size(); ++k) {
    middles[k] = static_cast<float>(
        (static_cast<double>(kNf4Values[k]) + static_cast<double>(kNf4Values[k + 1])) / 2);
  }
  return middles;
}();
/// The code of the number nearest to x in [-1, 1], the lower of two. Without branches, so that
/// loops vectorize.
MANTISSA_HD inline int nf4_code(float x) {
  constexpr std::array<float, 15> kMiddles = kNf4Middles;
  int code = 0;
  for (std::size_t k = 0; k < kMiddles.size(); ++k) {
    code += x > kMiddles[k] ? 1 : 0;
  }
  return code;
}

/// Number `i` of the map that bitsandbytes gives scales, with the same roundings: the format of
/// dynamic_map.h, whose numbers are rounded once.
MANTISSA_HD constexpr float nf4_map_value(int i) {
  constexpr int kZero = kNf4Map / 2 - 1;
  constexpr float kDecades[7] = {1e-6F, 1e-5F, 1e-4F, 1e-3F, 1e-2F, 1e-1F, 1.0F};
  if (i == kZero || i == kNf4Map - 1) {
    return i == kZero ? 0.0F : 1.0F;
  }
  const int magnitude = i < kZero ? kZero - 1 - i : i - kZero - 1;
  int decade = 0;
  while ((2 << decade) - 1 <= magnitude) {
    ++decade;
  }
  const int parts = 1 << decade, part = magnitude + 1 - parts;
  const float step = (1.0F - 0.1F) / static_cast<float>(parts);
  float edges[2] = {0, 0};
  for (int e = 0; e < 2; ++e) {
    const int k = part + e;
    edges[e] = k < (parts + 1) / 2
                   ? static_cast<float>(static_cast<double>(0.1F) + static_cast<double>(step) * k)
                   : static_cast<float>(1.0 - static_cast<double>(step) * (parts - k));
  }
  const float value = kDecades[decade] * ((edges[0] + edges[1]) / 2.0F);
  return i < kZero ? -value : value;
}
/// The number of a rising map of 256 that is nearest to x, the lower of two.
MANTISSA_HD inline std::uint8_t nf4_nearest(const float* map, float x) {
  int low = 0, high = kNf4Map - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (map[middle] <= x) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const bool upper = low < kNf4Map - 1 && map[low + 1] - x < x - map[low];
  return static_cast<std::uint8_t>(upper ? low + 1 : low);
}

}  // namespace mantissa
