#include "engine/data/image_cut.h"

#include <algorithm>

namespace mantissa {

Image cut_image(const std::filesystem::path& path, const Placement& p) {
  const Image whole = load_image(path);
  Image image = resize_crop(whole, p.scaled_width, p.scaled_height, p.left, p.top, p.bucket.width,
                            p.bucket.height);
  image.notice = whole.notice;
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

Image ImageShelf::image(std::size_t number, const std::filesystem::path& path,
                        const Placement& placement) {
  if (const auto kept = images_.find(number); kept != images_.end()) {
    return kept->second;
  }
  Image image = cut_image(path, placement);
  if (bytes_ + image.pixels.size() <= kShelfBytes) {
    bytes_ += image.pixels.size();
    images_[number] = image;
  }
  return image;
}

void ImageShelf::clear() {
  images_.clear();
  bytes_ = 0;
}

}  // namespace mantissa
