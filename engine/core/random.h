#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/philox.h"

namespace mantissa {

/// The uses of random numbers. The numbers are part of every saved run: never renumber.
enum class RandomStream : std::uint32_t {
  noise = 1,            ///< ε of the training target
  timesteps = 2,        ///< t of each sample
  dropout = 3,          ///< adapter dropout masks
  caption_dropout = 4,  ///< which captions are emptied
  shuffle = 5,          ///< order of an epoch (step = epoch)
  init = 6,             ///< adapter initialisation (sample = index of the tensor)
  vae = 7,              ///< draw from the latent's distribution
  sampler = 8,          ///< start noise and ancestral noise of sample images
  flip = 9,             ///< which samples are mirrored
  offset_noise = 10,    ///< per-channel offset of ε
  rounding = 11,        ///< stochastic rounding (step = updates, sample = optimizer and buffer)
  caption_order = 12,   ///< order of a caption's tags (step = epoch, sample = image)
  validation = 13,      ///< ε of validation images (seed = content, step = which timestep)
  augmentation = 14,    ///< changes of an image's versions (step and sample = content)
  version_order = 15,   ///< order of an image's versions (step = round, sample = image)
  captions = 16,        ///< tokens of a caption that a model writes (step = token)
};

/// The key of stream `stream` for micro-step `step` and sample `sample` of a batch.
constexpr RandomKey random_key(std::uint64_t seed, RandomStream stream, std::uint64_t step = 0,
                               std::uint64_t sample = 0) {
  return {seed, static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(step),
          static_cast<std::uint32_t>(sample)};
}

/// Integer in [0, n), n ≥ 1, from 64 bits of block `block`; its bias is below n·2⁻⁶⁴.
inline std::uint64_t random_below(const RandomKey& key, std::uint64_t n, std::uint32_t block = 0) {
  const auto words = random_block(key, block);
  // High 64 bits of the 128-bit product (words·n), from 32-bit halves, without compiler extensions.
  const std::uint64_t a0 = words[0];
  const std::uint64_t a1 = words[1];
  const std::uint64_t b0 = n & 0xffffffffu;
  const std::uint64_t b1 = n >> 32;
  const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & 0xffffffffu)) >> 32);
}

/// Uniform in [0, 1) with 24 bits, from the first word of block `block`.
inline float random_uniform(const RandomKey& key, std::uint32_t block = 0) {
  return uniform_from_bits(random_block(key, block)[0]);
}

/// Shuffles `items` (Fisher-Yates), a pure function of the key and the length.
template <typename T>
void random_shuffle(std::vector<T>& items, const RandomKey& key) {
  for (std::size_t i = items.size(); i > 1; --i) {
    const auto j = static_cast<std::size_t>(random_below(key, i, static_cast<std::uint32_t>(i)));
    std::swap(items[i - 1], items[j]);
  }
}

}  // namespace mantissa
