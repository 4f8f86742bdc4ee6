#include "engine/render/image_distances.h"

#include <algorithm>
#include <cmath>

namespace mantissa {
namespace {

constexpr std::int64_t kSide = 16;  ///< cells of a grid

/// Where cell `i` of `kSide` begins in `size` latents; cells of fewer latents repeat them.
std::int64_t cell_begin(std::int64_t i, std::int64_t size) {
  return i * size / kSide;
}
std::int64_t cell_end(std::int64_t i, std::int64_t size) {
  return std::max(cell_begin(i, size) + 1, cell_begin(i + 1, size));
}

/// The mean of each cell, [kSide, kSide, channels].
std::vector<float> grid_of(const std::vector<float>& latents, std::int64_t height,
                           std::int64_t width, std::int64_t channels) {
  std::vector<float> grid;
  for (std::int64_t row = 0; row < kSide; ++row) {
    for (std::int64_t col = 0; col < kSide; ++col) {
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        std::int64_t count = 0;
        for (std::int64_t y = cell_begin(row, height); y < cell_end(row, height); ++y) {
          for (std::int64_t x = cell_begin(col, width); x < cell_end(col, width); ++x, ++count) {
            sum += static_cast<double>(
                latents[static_cast<std::size_t>((y * width + x) * channels + c)]);
          }
        }
        grid.push_back(static_cast<float>(sum / static_cast<double>(count)));
      }
    }
  }
  return grid;
}

std::vector<float> mirrored(const std::vector<float>& grid, std::int64_t channels) {
  std::vector<float> other;
  for (std::int64_t row = 0; row < kSide; ++row) {
    for (std::int64_t col = kSide - 1; col >= 0; --col) {
      const auto cell = grid.begin() + (row * kSide + col) * channels;
      other.insert(other.end(), cell, cell + channels);
    }
  }
  return other;
}

double rms_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += d * d;
  }
  return std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace

double expected_smallest(std::vector<double> values, std::size_t count) {
  std::sort(values.begin(), values.end());
  const auto all = static_cast<double>(values.size()), some = static_cast<double>(count);
  // The chance that the i-th smallest is the smallest of those drawn.
  double chance = some / all, expected = 0;
  for (std::size_t i = 0; i + count <= values.size(); ++i) {
    expected += chance * values[i];
    const auto before = static_cast<double>(i);
    chance *= (all - some - before) / (all - 1 - before);
  }
  return expected;
}

ImageDistances::ImageDistances(const EncodedDataset& data)
    : channels_(data.latent_format().channels), mirrored_(data.preset().data.flip) {
  const BucketedImages& images = data.images();
  std::vector<const ImageItem*> items;
  for (const ImageItem& item : images.dataset().items) {
    if (!item.prior) {
      items.push_back(&item);
    }
  }
  const std::size_t count = std::min(items.size(), kMostImages);
  for (std::size_t i = 0; i < count; ++i) {
    const ImageItem& item = *items[i * items.size() / count];
    trained_.push_back(known(data, item, images.version(item, images.sizes(item).front(), 0)));
  }
  for (const ImageItem& item : images.validation()) {
    held_out_.push_back(known(data, item, {images.placement(item)}));
  }
}

ImageDistances::Known ImageDistances::known(const EncodedDataset& data, const ImageItem& item,
                                            const ImageVersion& version) const {
  std::vector<float> latents = data.latents(item, version, false).mean.data;
  const LatentFormat& format = data.latent_format();
  for (std::size_t i = 0; i < latents.size(); ++i) {
    const std::size_t channel = i % format.gain.size();
    latents[i] = format.gain[channel] * (latents[i] - format.shift[channel]);
  }
  const Bucket& size = version.placement.bucket;
  return {item.name,
          grid_of(latents, size.height / format.factor, size.width / format.factor, channels_)};
}

SampleDistance ImageDistances::of(const std::vector<float>& latents, std::int64_t height,
                                  std::int64_t width) const {
  const Grid sample = grid_of(latents, height, width, channels_);
  const Grid mirror = mirrored_ ? mirrored(sample, channels_) : Grid();
  const auto distances = [&](const std::vector<Known>& images) {
    std::vector<double> found;
    for (const Known& image : images) {
      const double plain = rms_difference(sample, image.grid);
      found.push_back(mirrored_ ? std::min(plain, rms_difference(mirror, image.grid)) : plain);
    }
    return found;
  };
  const std::vector<double> trained = distances(trained_), held_out = distances(held_out_);
  if (trained.empty() || held_out.empty()) {
    return {};
  }
  const std::size_t fewer = std::min(trained.size(), held_out.size());
  const auto nearest = std::min_element(trained.begin(), trained.end());
  return {expected_smallest(trained, fewer), expected_smallest(held_out, fewer),
          trained_[static_cast<std::size_t>(nearest - trained.begin())].name};
}

}  // namespace mantissa
