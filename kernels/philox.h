#pragma once
// Counter-based randomness, the same bits on every backend: Philox4x32-10 (Salmon et al., SC'11).

#include <array>
#include <cmath>
#include <cstdint>

#include "kernels/host_device.h"

namespace mantissa {

/// Names one independent stream of random numbers: never depends on thread or clock.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;  ///< what the numbers are for (noise, timesteps, dropout …)
  std::uint32_t step = 0;
  std::uint32_t sample = 0;
};

/// Four 32-bit words for `counter` under `key`, ten rounds.
MANTISSA_HD inline std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                           std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

/// Words 4*block .. 4*block+3 of the stream `key`.
MANTISSA_HD inline std::array<std::uint32_t, 4> random_block(const RandomKey& key,
                                                             std::uint32_t block) {
  return philox4x32(
      {block, key.sample, key.step, key.stream},
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
}

/// Uniform in [0, 1) with 24 bits.
MANTISSA_HD inline float uniform_from_bits(std::uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

/// Two standard normals by Box-Muller from two words, computed in double, rounded once.
MANTISSA_HD inline std::array<float, 2> normal_pair(std::uint32_t a, std::uint32_t b) {
  const double u = (static_cast<double>(a) + 0.5) * 0x1p-32;
  const double v = static_cast<double>(b) * 0x1p-32;
  const double radius = std::sqrt(-2.0 * std::log(u));
  const double angle = 6.283185307179586476925 * v;
  return {static_cast<float>(radius * std::cos(angle)),
          static_cast<float>(radius * std::sin(angle))};
}

}  // namespace mantissa
