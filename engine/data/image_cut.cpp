#include "engine/data/image_cut.h"

#include <algorithm>

#include "engine/io/pillow_resize.h"
#include "engine/io/resample.h"

namespace mantissa {

namespace {

/// Where position `at` of a side of `count` pixels, or beyond its ends, is reflected from: about
/// its outermost pixels, or about its edges, which repeats these.
int reflected(int at, int count, bool about_edges) {
  const int period = about_edges ? 2 * count : 2 * (count - 1);
  const int turned = ((at % period) + period) % period;
  return turned < count ? turned : period - turned - (about_edges ? 1 : 0);
}

/// All of an image, scaled.
Image scaled_image(const Image& image, const Placement& p) {
  return p.pillow ? pillow_resize(image, p.scaled_width, p.scaled_height, PillowFilter::lanczos)
                  : resize_crop(image, p.scaled_width, p.scaled_height, 0, 0, p.scaled_width,
                                p.scaled_height);
}

/// All of an image, scaled, in a larger bucket around it.
Image surrounded(const Image& image, const Placement& p) {
  /// An image no larger than a token is reflected about its edges.
  constexpr int kToken = 16;
  const Image scaled = scaled_image(image, p);
  const bool about_edges = std::min(p.scaled_width, p.scaled_height) <= kToken;
  Image whole{p.bucket.width, p.bucket.height, {}, image.notice};
  for (int y = 0; y < whole.height; ++y) {
    const std::ptrdiff_t row = reflected(y + p.top, p.scaled_height, about_edges);
    for (int x = 0; x < whole.width; ++x) {
      const std::ptrdiff_t column = reflected(x + p.left, p.scaled_width, about_edges);
      const auto pixel = scaled.pixels.begin() + 3 * (row * p.scaled_width + column);
      whole.pixels.insert(whole.pixels.end(), pixel, pixel + 3);
    }
  }
  return whole;
}

}  // namespace

Image cut_part(const Image& image, const Placement& p) {
  const auto& [width, height] = p.bucket;
  if (width > p.scaled_width || height > p.scaled_height) {
    return surrounded(image, p);
  }
  if (p.pillow) {  // cut afterwards: its first pass is rounded
    return resize_crop(scaled_image(image, p), p.scaled_width, p.scaled_height, p.left, p.top,
                       width, height);
  }
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
