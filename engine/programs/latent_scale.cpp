#include "engine/programs/latent_scale.h"

#include <algorithm>
#include <cmath>

namespace mantissa {

void LatentMeter::add(const LatentMoments& moments) {
  const auto channels = static_cast<std::size_t>(moments.mean.shape[2]);
  sum_.resize(channels);
  squares_.resize(channels);
  for (std::size_t i = 0; i < moments.mean.data.size(); ++i) {
    const double mean = moments.mean.data[i], deviation = moments.std.data[i];
    sum_[i % channels] += mean;
    squares_[i % channels] += mean * mean + deviation * deviation;
  }
  count_ += moments.mean.shape[0] * moments.mean.shape[1];
}

LatentStatistics LatentMeter::result() const {
  LatentStatistics result;
  const auto count = static_cast<double>(count_);
  for (std::size_t c = 0; c < sum_.size(); ++c) {
    const double mean = sum_[c] / count;
    result.mean.push_back(mean);
    result.deviation.push_back(std::sqrt(std::max(squares_[c] / count - mean * mean, 0.0)));
  }
  return result;
}

void settle_scale(LatentBorder& border, const LatentStatistics& statistics, double scaling_factor,
                  double shift_factor) {
  // A channel that never changes has no scale; as wide as this it stays finite.
  constexpr double kLeastDeviation = 1e-6;
  const std::size_t channels = statistics.mean.size();
  for (std::size_t c = 0; c < channels; ++c) {
    const double gain = 1 / (scaling_factor * std::max(statistics.deviation[c], kLeastDeviation));
    const double shift = statistics.mean[c] - shift_factor / gain;
    for (std::size_t in = 0; in < 2 * channels; ++in) {
      float& weight = border.quant_weight[c * 2 * channels + in];
      weight = static_cast<float>(weight * gain);
    }
    border.quant_bias[c] = static_cast<float>((border.quant_bias[c] - shift) * gain);
    float& log_variance = border.quant_bias[channels + c];
    log_variance = static_cast<float>(log_variance + 2 * std::log(gain));
    for (std::size_t out = 0; out < channels; ++out) {
      float& weight = border.post_weight[out * channels + c];
      border.post_bias[out] = static_cast<float>(border.post_bias[out] + weight * shift);
      weight = static_cast<float>(weight / gain);
    }
  }
}

}  // namespace mantissa
