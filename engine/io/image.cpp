#include "engine/io/image.h"

namespace mantissa {

Image load_alpha(const std::filesystem::path& path) {
  // Over black a value is a·v, over white a·v + 255 - a: their difference gives a exactly.
  Image image = load_image(path, {.background = {0, 0, 0}});
  const Image white = load_image(path, {.background = {255, 255, 255}});
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(255 - (white.pixels[i] - image.pixels[i]));
  }
  return image;
}

std::vector<float> to_float(const Image& image) {
  std::vector<float> values(image.pixels.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(image.pixels[i]) / 127.5f - 1.0f;
  }
  return values;
}

}  // namespace mantissa
