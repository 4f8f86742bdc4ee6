#include "engine/caption/square_image.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/io/pillow_resize.h"

namespace mantissa {

Image square_image(const Image& image, int side) {
  const int longer = std::max(image.width, image.height);
  std::vector<std::uint8_t> square(
      static_cast<std::size_t>(longer) * static_cast<std::size_t>(longer) * 3, 255);
  const int left = (longer - image.width) / 2, top = (longer - image.height) / 2;
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(image.pixels.begin() + std::ptrdiff_t{y} * image.width * 3, image.width * 3,
                square.begin() + (std::ptrdiff_t{y + top} * longer + left) * 3);
  }
  return pillow_resize({longer, longer, std::move(square), {}}, side, side, PillowFilter::bicubic);
}

std::vector<float> tagger_input(const Image& image, const ImageInput& input) {
  std::vector<float> values;
  values.reserve(image.pixels.size());
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto level = static_cast<float>(image.pixels[i + (input.blue_first ? 2 - c : c)]);
      values.push_back((level / 255.0F - input.mean[c]) / input.deviation[c]);
    }
  }
  return values;
}

}  // namespace mantissa
