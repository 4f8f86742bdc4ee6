#include "engine/io/image.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace mantissa {

namespace {

// Weights of one output position: inputs first .. first + weights.size() - 1.
struct Tap {
  int first = 0;
  std::vector<float> weights;
};

double lanczos3(double x) {
  if (x == 0) {
    return 1;
  }
  if (std::abs(x) >= 3) {
    return 0;
  }
  const double a = std::numbers::pi * x;
  return 3 * std::sin(a) * std::sin(a / 3) / (a * a);
}

// Lanczos with three lobes; when shrinking, the kernel widens by the factor, so nothing aliases.
std::vector<Tap> taps(int from, int to, int begin, int count) {
  const double scale = static_cast<double>(from) / to;
  const double widened = std::max(1.0, scale);
  std::vector<Tap> result(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double centre = (begin + i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(centre - 3 * widened + 0.5));
    const int last = std::min(from, static_cast<int>(centre + 3 * widened + 0.5));
    Tap& tap = result[static_cast<std::size_t>(i)];
    tap.first = first;
    double sum = 0;
    std::vector<double> weights;
    for (int k = first; k < last; ++k) {
      weights.push_back(lanczos3((k - centre + 0.5) / widened));
      sum += weights.back();
    }
    for (double w : weights) {
      tap.weights.push_back(static_cast<float>(w / sum));
    }
  }
  return result;
}

}  // namespace

Image load_alpha(const std::filesystem::path& path) {
  // Over black a value is a·v, over white a·v + 255 - a: their difference gives a exactly.
  Image image = load_image(path, {.background = {0, 0, 0}});
  const Image white = load_image(path, {.background = {255, 255, 255}});
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    image.pixels[i] = static_cast<std::uint8_t>(255 - (white.pixels[i] - image.pixels[i]));
  }
  return image;
}

Image resize_crop(const Image& image, int scaled_width, int scaled_height, int left, int top,
                  int width, int height) {
  if (image.width < 1 || image.height < 1 || width < 1 || height < 1 || left < 0 || top < 0 ||
      left > scaled_width - width || top > scaled_height - height) {
    throw Error(Message::verbatim(
        fmt::format("can't cut {} x {} at ({}, {}) from an image scaled to {} x {}", width, height,
                    left, top, scaled_width, scaled_height)));
  }
  const std::vector<Tap> across = taps(image.width, scaled_width, left, width);
  const std::vector<Tap> down = taps(image.height, scaled_height, top, height);
  const int first_row = down.front().first;
  const int last_row = down.back().first + static_cast<int>(down.back().weights.size());
  const auto row_floats = static_cast<std::size_t>(width) * 3;
  std::vector<float> rows(row_floats * static_cast<std::size_t>(last_row - first_row));
  for (int y = first_row; y < last_row; ++y) {
    const std::uint8_t* in = image.pixels.data() + static_cast<std::size_t>(y) *
                                                       static_cast<std::size_t>(image.width) * 3;
    float* out = rows.data() + static_cast<std::size_t>(y - first_row) * row_floats;
    for (const Tap& tap : across) {
      float red = 0, green = 0, blue = 0;
      const std::uint8_t* pixel = in + static_cast<std::size_t>(tap.first) * 3;
      for (float w : tap.weights) {
        red += w * pixel[0];
        green += w * pixel[1];
        blue += w * pixel[2];
        pixel += 3;
      }
      out[0] = red;
      out[1] = green;
      out[2] = blue;
      out += 3;
    }
  }
  Image result{width, height, {}, image.notice};
  result.pixels.resize(row_floats * static_cast<std::size_t>(height));
  std::vector<float> sum(row_floats);
  for (int y = 0; y < height; ++y) {
    const Tap& tap = down[static_cast<std::size_t>(y)];
    std::fill(sum.begin(), sum.end(), 0.0f);
    const float* in = rows.data() + static_cast<std::size_t>(tap.first - first_row) * row_floats;
    for (float w : tap.weights) {
      for (std::size_t i = 0; i < row_floats; ++i) {
        sum[i] += w * in[i];
      }
      in += row_floats;
    }
    std::uint8_t* out = result.pixels.data() + static_cast<std::size_t>(y) * row_floats;
    for (std::size_t i = 0; i < row_floats; ++i) {
      out[i] = static_cast<std::uint8_t>(std::clamp(sum[i] + 0.5f, 0.0f, 255.0f));
    }
  }
  return result;
}

std::vector<float> to_float(const Image& image) {
  std::vector<float> values(image.pixels.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(image.pixels[i]) / 127.5f - 1.0f;
  }
  return values;
}

}  // namespace mantissa
