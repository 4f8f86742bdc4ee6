#pragma once

#include <cstdint>
#include <vector>

#include "engine/programs/latent_encoding.h"

namespace mantissa {

/// Of unscaled latents z = mean + std·ε, by channel, over all positions of all images.
struct LatentStatistics {
  std::vector<double> mean, deviation;
};

/// Adds up what images are encoded to.
class LatentMeter {
 public:
  void add(const LatentMoments& moments);
  LatentStatistics result() const;

 private:
  std::int64_t count_ = 0;  ///< positions
  std::vector<double> sum_, squares_;
};

/// The pointwise layers latents leave the encoder and enter the decoder by, for c latent channels.
struct LatentBorder {
  std::vector<float> quant_weight, quant_bias;  ///< [2c, 2c] and [2c]: mean, then log variance
  std::vector<float> post_weight, post_bias;    ///< [c, c] and [c]
};

/// Changes the latents to gain·(z - mean), gain = 1/(scaling_factor·deviation), and what decodes
/// them the other way: scaled latents have mean 0 and deviation 1, which is what a denoiser is made
/// for, under the scaling factor the model's config has, and reconstructions stay. Log variances
/// grow by 2·ln gain.
void settle_scale(LatentBorder& border, const LatentStatistics& statistics, double scaling_factor);

}  // namespace mantissa
