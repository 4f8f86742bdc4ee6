#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

#include "engine/data/augmentation.h"
#include "engine/io/image.h"

namespace mantissa {

/// An image, scaled, rotated and cropped to its bucket.
Image cut_part(const Image& image, const Placement& placement);

/// A version of a file's image, as it is encoded. Throws as load_image.
Image cut_image(const std::filesystem::path& path, const ImageVersion& version);

/// Mirrors horizontally.
void mirror(Image& image);

/// Capacity of an ImageShelf; further images are read each time.
inline constexpr std::size_t kShelfBytes = 64U << 20;

/// Cropped images by number and version, the first kShelfBytes of them cached in memory.
class ImageShelf {
 public:
  /// Whether `image` would read no file.
  bool holds(std::size_t number, int variant) const { return images_.contains({number, variant}); }
  /// Throws as load_image.
  Image image(std::size_t number, int variant, const std::filesystem::path& path,
              const ImageVersion& version);
  void clear();

 private:
  std::map<std::pair<std::size_t, int>, Image> images_;
  std::size_t bytes_ = 0;
};

}  // namespace mantissa
