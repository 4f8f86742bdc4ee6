#pragma once
// Drawn scenes, for edits.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "engine/io/image.h"

namespace mantissa::testing_support {

using Color = std::array<double, 3>;

inline double distance(const Color& a, const Color& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

inline double luminance(const Color& c) {
  return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
}

/// One shape on a plain ground. Places and sizes are shares of the image's sides and of the shorter
/// one, so that it can be drawn in any size.
struct Scene {
  enum class Shape { circle, square, triangle, cross };
  Shape shape = Shape::circle;
  Color color{}, ground{};
  double x = 0, y = 0, radius = 0;

  /// Whether a point of an image of this size, in pixels, lies in the shape; grown by `margin`.
  bool covers(double px, double py, int width, int height, double margin = 0) const {
    const double r = radius * std::min(width, height) + margin;
    const double u = px - x * width, v = py - y * height;
    switch (shape) {
      case Shape::circle:
        return std::hypot(u, v) <= r;
      case Shape::square:
        return std::max(std::abs(u), std::abs(v)) <= 0.88 * r;
      case Shape::triangle:
        return v <= 0.85 * r && v >= 2 * std::abs(u) - r;
      case Shape::cross:
        return std::min(std::abs(u), std::abs(v)) <= 0.36 * r &&
               std::max(std::abs(u), std::abs(v)) <= r;
    }
    return false;
  }

  Image drawn(int width, int height) const {
    constexpr int kParts = 4;  // of a pixel's side, for smooth edges
    Image image{width, height, {}, {}};
    for (int y0 = 0; y0 < height; ++y0) {
      for (int x0 = 0; x0 < width; ++x0) {
        int inside = 0;
        for (int i = 0; i < kParts * kParts; ++i) {
          inside += covers(x0 + (i % kParts + 0.5) / kParts, y0 + (i / kParts + 0.5) / kParts,
                           width, height)
                        ? 1
                        : 0;
        }
        const double share = static_cast<double>(inside) / (kParts * kParts);
        for (std::size_t c = 0; c < 3; ++c) {
          const double level = share * color[c] + (1 - share) * ground[c];
          image.pixels.push_back(static_cast<std::uint8_t>(std::lround(level)));
        }
      }
    }
    return image;
  }
};

/// The first three are far from the fourth, blue.
inline constexpr std::array kSceneColors{Color{220, 38, 44}, Color{244, 214, 44},
                                         Color{38, 160, 72}, Color{36, 92, 216},
                                         Color{136, 60, 190}};
inline constexpr std::array kSceneGrounds{Color{245, 245, 245}, Color{150, 152, 156},
                                          Color{247, 236, 208}, Color{28, 28, 32}};

/// The scene of this number, always the same.
inline Scene scene(unsigned number) {
  std::mt19937 random(number);
  const auto share = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const auto among = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  Scene s;
  s.shape = static_cast<Scene::Shape>(among(4));
  do {  // until they differ in luminance too
    s.color = kSceneColors[among(kSceneColors.size())];
    s.ground = kSceneGrounds[among(kSceneGrounds.size())];
  } while (std::abs(luminance(s.color) - luminance(s.ground)) < 40);
  s.x = 0.3 + 0.4 * share();
  s.y = 0.3 + 0.4 * share();
  s.radius = 0.17 + 0.08 * share();
  return s;
}

}  // namespace mantissa::testing_support
