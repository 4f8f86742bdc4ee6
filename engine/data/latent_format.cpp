// LatentFormat.
#include "engine/data/encoded_dataset.h"

namespace mantissa {

LatentFormat LatentFormat::of(const DiffusionModel& model) {
  LatentFormat format{model.latent_factor(), model.latent_channels(), {}, {}, model.patch_size()};
  const LatentSpace& space = model.latents();
  format.gain.assign(space.gain.begin(), space.gain.end());
  format.shift.assign(space.shift.begin(), space.shift.end());
  return format;
}

std::uint64_t LatentFormat::bytes(const Bucket& bucket) const {
  const std::int64_t positions = std::int64_t{bucket.width / factor} * (bucket.height / factor);
  return static_cast<std::uint64_t>(2 * channels * positions) * sizeof(float);
}

std::vector<float> LatentFormat::scaled(const HostTensor& latents) const {
  std::vector<float> values = latents.data;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t channel = i % gain.size();
    values[i] = gain[channel] * (values[i] - shift[channel]);
  }
  return values;
}

}  // namespace mantissa
