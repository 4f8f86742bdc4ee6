#pragma once

#include <cstddef>
#include <filesystem>
#include <map>

#include "engine/data/buckets.h"
#include "engine/io/image.h"

namespace mantissa {

/// A file's image, scaled and cropped to its bucket. Throws as load_image.
Image cut_image(const std::filesystem::path& path, const Placement& placement);

/// Mirrors horizontally.
void mirror(Image& image);

/// Capacity of an ImageShelf; further images are read each time.
inline constexpr std::size_t kShelfBytes = 64U << 20;

/// Cropped images by number, the first kShelfBytes of them cached in memory.
class ImageShelf {
 public:
  /// Throws as load_image.
  Image image(std::size_t number, const std::filesystem::path& path, const Placement& placement);
  void clear();

 private:
  std::map<std::size_t, Image> images_;
  std::size_t bytes_ = 0;
};

}  // namespace mantissa
