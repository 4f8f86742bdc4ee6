#pragma once

#include <cstddef>
#include <filesystem>
#include <map>

#include "engine/data/buckets.h"
#include "engine/io/image.h"

namespace mantissa {

/// The image of a file, scaled and cut as its bucket asks. Throws as load_image.
Image cut_image(const std::filesystem::path& path, const Placement& placement);

/// Left becomes right.
void mirror(Image& image);

/// What an ImageShelf keeps; what doesn't fit is read again.
inline constexpr std::size_t kShelfBytes = 64U << 20;

/// Cut images by number, the first kShelfBytes of them kept in memory.
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
