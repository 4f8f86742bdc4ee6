#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/data/buckets.h"
#include "engine/data/dataset.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The buckets of a run: those of every resolution in one list, and each image's own in it.
class BucketTable {
 public:
  /// `quantum`: every side is a multiple of this many pixels. Throws as make_buckets.
  BucketTable(const Preset& preset, int quantum);

  /// Sorted, each once.
  const std::vector<Bucket>& all() const { return all_; }
  /// The resolutions that an image is trained at: its folder's own, else those of all images, the
  /// preset's first.
  std::vector<int> resolutions(const ImageItem& item) const;
  /// The index in `all` of the bucket of that resolution for an image of this size.
  std::size_t choose(int resolution, int width, int height) const;
  /// An image's buckets, one for each of its resolutions, in their order.
  std::vector<std::size_t> choose(const ImageItem& item) const;

 private:
  BucketRule rule_;
  std::vector<int> of_all_;
  std::map<int, std::vector<Bucket>> by_resolution_;
  std::vector<Bucket> all_;
};

/// One use of an image: in an epoch it is trained at each of its resolutions.
struct ImageUse {
  std::size_t item = 0;    ///< index of the image
  std::size_t bucket = 0;  ///< index in BucketTable::all
};
/// Every image at its first resolution, in their order, then at its others.
std::vector<ImageUse> image_uses(const BucketTable& table, std::span<const ImageItem> items);
/// The images alone, and the buckets alone.
std::vector<std::size_t> items_of(std::span<const ImageUse> uses);
std::vector<std::size_t> buckets_of(std::span<const ImageUse> uses);

/// What is trained at one resolution.
struct ResolutionUse {
  int resolution = 0;                    ///< pixels
  std::int64_t images = 0;               ///< those for prior preservation too
  std::map<Bucket, std::int64_t> sizes;  ///< with their images
};
/// By resolution, the least first.
std::vector<ResolutionUse> resolution_uses(const BucketTable& table,
                                           std::span<const ImageItem> items);

}  // namespace mantissa
