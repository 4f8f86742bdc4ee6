#include "engine/data/image_cut.h"

#include <algorithm>

#include "engine/io/resample.h"

namespace mantissa {

Image cut_part(const Image& image, const Placement& p) {
  const auto& [width, height] = p.bucket;
  return p.angle == 0
             ? resize_crop(image, p.scaled_width, p.scaled_height, p.left, p.top, width, height)
             : rotated_crop(image, {p.scaled_width, p.scaled_height, p.left, p.top, width, height},
                            p.angle / 100.0);
}

Image cut_image(const std::filesystem::path& path, const ImageVersion& version) {
  Image image = cut_part(load_image(path), version.placement);
  change_colors(image, version.color);
  return image;
}

void mirror(Image& image) {
  for (int y = 0; y < image.height; ++y) {
    const std::ptrdiff_t width = image.width;
    const auto row = image.pixels.begin() + 3 * y * width;
    for (std::ptrdiff_t x = 0; x < width / 2; ++x) {
      std::swap_ranges(row + 3 * x, row + 3 * x + 3, row + 3 * (width - 1 - x));
    }
  }
}

Image ImageShelf::image(std::size_t number, int variant, const std::filesystem::path& path,
                        const ImageVersion& version) {
  const std::pair key{number, variant};
  if (const auto kept = images_.find(key); kept != images_.end()) {
    return kept->second;
  }
  Image image = cut_image(path, version);
  if (bytes_ + image.pixels.size() <= kShelfBytes) {
    bytes_ += image.pixels.size();
    images_[key] = image;
  }
  return image;
}

void ImageShelf::clear() {
  images_.clear();
  bytes_ = 0;
}

}  // namespace mantissa
