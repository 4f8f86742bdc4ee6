#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/encoded_dataset.h"
#include "engine/store/rows.h"

namespace mantissa {

/// The expected smallest of `count` values, drawn from `values` without replacement; count at least
/// 1, at most all.
double expected_smallest(std::vector<double> values, std::size_t count);

/// How far samples are from the images of a data set, in latents. Images of other sizes compare by
/// a grid: cells of latents, averaged.
class ImageDistances {
 public:
  /// Reads the latents of all validation images, and of at most kMostImages training images,
  /// evenly. Throws EncodingGone.
  explicit ImageDistances(const EncodedDataset& data);
  static constexpr std::size_t kMostImages = 2000;

  /// Distances of a sample's scaled latents [height, width, channels] from the nearest images;
  /// where images are mirrored in training, the nearer of sample and mirror image counts.
  SampleDistance of(const std::vector<float>& latents, std::int64_t height,
                    std::int64_t width) const;

 private:
  using Grid = std::vector<float>;
  struct Known {
    std::string name;
    Grid grid;
  };
  Known known(const EncodedDataset& data, const ImageItem& item, const ImageVersion& version) const;

  std::int64_t channels_;
  bool mirrored_;
  std::vector<Known> trained_, held_out_;
};

}  // namespace mantissa
