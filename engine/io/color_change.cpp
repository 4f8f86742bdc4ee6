#include "engine/io/color_change.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mantissa {
namespace {

using Color = std::array<float, 3>;  // red, green, blue in [0, 1]

float factor_of(int ten_thousandths) {
  return 1.0F + static_cast<float>(ten_thousandths) / 10'000.0F;
}

float grey(const Color& c) {
  return 0.2989F * c[0] + 0.587F * c[1] + 0.114F * c[2];
}

/// factor·color + (1 − factor)·base
Color away_from(const Color& color, float base, float factor) {
  Color moved{};
  std::transform(color.begin(), color.end(), moved.begin(), [&](float v) {
    return std::clamp(factor * v + (1.0F - factor) * base, 0.0F, 1.0F);
  });
  return moved;
}

/// The hue in sixths of a turn, from 0 (red); `least` and `most` of the colour differ.
float hue_of(const Color& c, float least, float most) {
  const float range = most - least;
  if (most == c[0]) {
    return (c[1] - c[2]) / range;
  }
  return most == c[1] ? 2.0F + (c[2] - c[0]) / range : 4.0F + (c[0] - c[1]) / range;
}

/// A colour of the same value and saturation under another hue.
Color turn_hue(const Color& c, float turn) {
  const auto [least, most] = std::minmax_element(c.begin(), c.end());
  if (*least == *most) {
    return c;
  }
  const float hue = hue_of(c, *least, *most) + 6.0F * turn;
  Color result{};
  for (std::size_t i = 0; i < 3; ++i) {
    // A channel falls from the most to the least and rises again: k sixths from where it begins to.
    const float from = hue + (i == 0 ? 5.0F : i == 1 ? 3.0F : 1.0F);
    const float k = from - 6.0F * std::floor(from / 6.0F);
    const float share = std::clamp(std::min(k, 4.0F - k), 0.0F, 1.0F);
    result[i] = *most - (*most - *least) * share;
  }
  return result;
}

Color color_at(const Image& image, std::size_t at) {
  return {static_cast<float>(image.pixels[at]) / 255.0F,
          static_cast<float>(image.pixels[at + 1]) / 255.0F,
          static_cast<float>(image.pixels[at + 2]) / 255.0F};
}

}  // namespace

void change_colors(Image& image, const ColorChange& change) {
  if (change == ColorChange{} || image.pixels.empty()) {
    return;
  }
  const float brightness = factor_of(change.brightness);
  const float contrast = factor_of(change.contrast);
  const float saturation = factor_of(change.saturation);
  const float turn = static_cast<float>(change.hue) / 10'000.0F;
  const std::size_t end = image.pixels.size();
  float mean = 0;
  if (change.contrast != 0) {
    double sum = 0;
    for (std::size_t at = 0; at < end; at += 3) {
      sum += grey(away_from(color_at(image, at), 0, brightness));
    }
    mean = static_cast<float>(sum / (static_cast<double>(end) / 3));
  }
  for (std::size_t at = 0; at < end; at += 3) {
    Color color = away_from(color_at(image, at), 0, brightness);
    color = away_from(color, mean, contrast);
    color = away_from(color, grey(color), saturation);
    color = change.hue == 0 ? color : turn_hue(color, turn);
    for (std::size_t i = 0; i < 3; ++i) {
      image.pixels[at + i] = static_cast<std::uint8_t>(255.0F * color[i] + 0.5F);
    }
  }
}

}  // namespace mantissa
