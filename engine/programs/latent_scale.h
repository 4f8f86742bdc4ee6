#pragma once

#include <cstdint>
#include <vector>

#include "engine/programs/latent_encoding.h"

namespace mantissa {

/// Statistics of unscaled latents z = mean + std·ε, per channel, over all positions of all images.
struct LatentStatistics {
  std::vector<double> mean, deviation;
};

/// Accumulates the latents of encoded images.
class LatentMeter {
 public:
  void add(const LatentMoments& moments);
  LatentStatistics result() const;

 private:
  std::int64_t count_ = 0;  ///< positions
  std::vector<double> sum_, squares_;
};

/// The pointwise layers at the encoder's output and the decoder's input, for c latent channels.
struct LatentBorder {
  std::vector<float> quant_weight, quant_bias;  ///< [2c, 2c] and [2c]: mean, then log variance
  std::vector<float> post_weight, post_bias;    ///< [c, c] and [c]
};

/// Changes the latents to gain·(z - mean) + shift_factor, gain = 1/(scaling_factor·deviation), and
/// the decoder inversely: scaled latents get mean 0 and deviation 1, as a denoiser expects, under
/// the factors of the model's config, and reconstructions don't change. Log variances grow by
/// 2·ln gain.
void settle_scale(LatentBorder& border, const LatentStatistics& statistics, double scaling_factor,
                  double shift_factor = 0);

}  // namespace mantissa
