#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/dtype.h"
#include "kernels/philox.h"

namespace mantissa {

/// Which stream of random bits rounds a buffer of an optimizer: added to the key's `sample`.
enum class RoundedBuffer : std::uint32_t { parameter, m, v, s };

/// The random bits for rounding element `index` of the stream `key`, in [0, 65536). One Philox
/// block serves eight neighbours: two per word, the lower half first.
MANTISSA_HD inline std::uint32_t rounding_bits(const RandomKey& key, std::uint64_t index) {
  const auto words = random_block(key, static_cast<std::uint32_t>(index / 8));
  return (words[index % 8 / 2] >> (16 * (index % 2))) & 0xffffu;
}

/// Stochastic rounding (arXiv 2010.06192): the neighbour away from zero with the probability of the
/// part cut off; `random` in [0, 65536). NaN and infinity pass; a finite value stays finite.
MANTISSA_HD inline bfloat16 round_stochastic(float value, std::uint32_t random) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t finite = std::min(magnitude + random, 0x7f7fffffu);
  const std::uint32_t special = magnitude | (magnitude > 0x7f800000u ? 0x00400000u : 0u);
  const std::uint32_t rounded = magnitude < 0x7f800000u ? finite : special;
  bfloat16 result;
  result.bits = static_cast<std::uint16_t>(((bits & 0x80000000u) | rounded) >> 16);
  return result;
}

}  // namespace mantissa
