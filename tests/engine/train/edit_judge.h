#pragma once
// What an edited image shows: where it lies over its reference, and what became of the scene.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/engine/train/edit_scene.h"

namespace mantissa::testing_support {

inline Color pixel(const Image& image, int x, int y) {
  const auto at = static_cast<std::size_t>(3 * (y * image.width + x));
  return {static_cast<double>(image.pixels[at]), static_cast<double>(image.pixels[at + 1]),
          static_cast<double>(image.pixels[at + 2])};
}

/// How well an image lies over another one of its size: the normalised cross-correlation of their
/// luminances, whose means are taken off, at each shift of the image within `kReach` pixels.
struct Correlation {
  static constexpr int kReach = 16;
  static constexpr double kPlain = 0.1;  ///< variance in levels below which nothing is shown
  int dx = 0, dy = 0;                    ///< where it is highest: the image lies that far off
  double peak = -1, second = -1;         ///< there, and at the shift that comes next

  bool in_place() const { return dx == 0 && dy == 0; }
};

inline Correlation correlate(const Image& image, const Image& reference) {
  const int width = image.width, height = image.height;
  const auto luminances = [](const Image& from) {
    std::vector<double> values;
    for (std::size_t i = 0; i < from.pixels.size(); i += 3) {
      const std::uint8_t* p = from.pixels.data() + i;
      values.push_back(luminance({1.0 * p[0], 1.0 * p[1], 1.0 * p[2]}));
    }
    return values;
  };
  const std::vector<double> a = luminances(image), b = luminances(reference);
  Correlation found;
  for (int dy = -Correlation::kReach; dy <= Correlation::kReach; ++dy) {
    for (int dx = -Correlation::kReach; dx <= Correlation::kReach; ++dx) {
      double count = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
      for (int y = std::max(0, -dy); y < std::min(height, height - dy); ++y) {
        for (int x = std::max(0, -dx); x < std::min(width, width - dx); ++x) {
          const double p = a[static_cast<std::size_t>((y + dy) * width + x + dx)];
          const double q = b[static_cast<std::size_t>(y * width + x)];
          ++count;
          sa += p;
          sb += q;
          saa += p * p;
          sbb += q * q;
          sab += p * q;
        }
      }
      const double va = saa / count - sa * sa / count / count;
      const double vb = sbb / count - sb * sb / count / count;
      const double value = std::min(va, vb) < Correlation::kPlain
                               ? 0
                               : (sab / count - sa * sb / count / count) / std::sqrt(va * vb);
      if (value > found.peak) {
        found.second = found.peak;
        found.peak = value;
        found.dx = dx;
        found.dy = dy;
      } else {
        found.second = std::max(found.second, value);
      }
    }
  }
  return found;
}

/// How an image shows a scene's shape on a ground that may be another one.
struct ShownScene {
  double overlap = 0;  ///< of the pixels unlike the ground with the shape: intersection over union
  double color = 0;    ///< mean distance of the shape's pixels from its colour
  double ground = 0;   ///< mean distance of the others from the ground
};

/// The image is of the scene's shape in its place.
inline ShownScene shown(const Image& image, const Scene& scene, const Color& ground) {
  constexpr double kDifferent = 55;  // distance in RGB that makes a pixel part of the shape
  constexpr double kEdge = 2;  // pixels on both sides of the outline that no colour is read of
  ShownScene found;
  double both = 0, either = 0, inner = 0, outer = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const auto covered = [&](double margin) {
        return scene.covers(x + 0.5, y + 0.5, image.width, image.height, margin);
      };
      const Color value = pixel(image, x, y);
      const bool seen = distance(value, ground) > kDifferent;
      both += seen && covered(0) ? 1 : 0;
      either += seen || covered(0) ? 1 : 0;
      if (covered(-kEdge)) {
        found.color += distance(value, scene.color);
        ++inner;
      } else if (!covered(kEdge)) {
        found.ground += distance(value, ground);
        ++outer;
      }
    }
  }
  found.overlap = both / either;
  found.color /= inner;
  found.ground /= outer;
  return found;
}

}  // namespace mantissa::testing_support
