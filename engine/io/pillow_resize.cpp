#include "engine/io/pillow_resize.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace mantissa {
namespace {

constexpr int kBits = 22;  // of a weight

double cubic(double x) {
  constexpr double a = -0.5;
  x = std::fabs(x);
  return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

double sinc(double x) {
  return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

double three_lobes(double x) {
  return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
}

/// A filter and how far it reaches.
struct Kernel {
  double (*weight)(double);
  double reach;
};

Kernel kernel_of(PillowFilter filter) {
  return filter == PillowFilter::bicubic ? Kernel{cubic, 2} : Kernel{three_lobes, 3};
}

/// The pixels that one scaled pixel is made of.
struct Taps {
  int first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Taps> taps_of(const Kernel& kernel, int from, int to) {
  const double scale = static_cast<double>(from) / to, widened = std::max(scale, 1.0);
  const double support = kernel.reach * widened;
  std::vector<Taps> taps;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(centre - support + 0.5));
    const int last = std::min(from, static_cast<int>(centre + support + 0.5));
    std::vector<double> weights;
    double sum = 0;
    for (int x = first; x < last; ++x) {
      weights.push_back(kernel.weight((x - centre + 0.5) / widened));
      sum += weights.back();
    }
    Taps one{first, {}};
    for (const double weight : weights) {
      one.weights.push_back(static_cast<std::int32_t>(std::lround(weight / sum * (1 << kBits))));
    }
    taps.push_back(std::move(one));
  }
  return taps;
}

std::uint8_t rounded(std::int64_t sum) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kBits, 0, 255));
}

/// Scales the rows of [lines, from, 3] to `to` pixels.
std::vector<std::uint8_t> scale_rows(const Kernel& kernel, const std::vector<std::uint8_t>& in,
                                     int lines, int from, int to) {
  const std::vector<Taps> taps = taps_of(kernel, from, to);
  std::vector<std::uint8_t> out;
  out.reserve(static_cast<std::size_t>(lines) * static_cast<std::size_t>(to) * 3);
  for (int line = 0; line < lines; ++line) {
    const std::uint8_t* row = in.data() + static_cast<std::ptrdiff_t>(line) * from * 3;
    for (const Taps& pixel : taps) {
      for (int c = 0; c < 3; ++c) {
        std::int64_t sum = std::int64_t{1} << (kBits - 1);
        const std::uint8_t* at = row + static_cast<std::ptrdiff_t>(pixel.first) * 3 + c;
        for (const std::int32_t weight : pixel.weights) {
          sum += std::int64_t{weight} * *at;
          at += 3;
        }
        out.push_back(rounded(sum));
      }
    }
  }
  return out;
}

/// [height, width, 3] with rows and columns exchanged.
std::vector<std::uint8_t> turned(const std::vector<std::uint8_t>& in, int height, int width) {
  std::vector<std::uint8_t> out(in.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::copy_n(in.begin() + (std::ptrdiff_t{y} * width + x) * 3, 3,
                  out.begin() + (std::ptrdiff_t{x} * height + y) * 3);
    }
  }
  return out;
}

}  // namespace

Image pillow_resize(const Image& image, int width, int height, PillowFilter filter) {
  if (image.width == width && image.height == height) {
    return image;
  }
  const Kernel kernel = kernel_of(filter);
  std::vector<std::uint8_t> pixels = image.pixels;
  if (image.width != width) {
    pixels = scale_rows(kernel, pixels, image.height, image.width, width);
  }
  if (image.height != height) {
    const std::vector<std::uint8_t> columns =
        scale_rows(kernel, turned(pixels, image.height, width), width, image.height, height);
    pixels = turned(columns, width, height);
  }
  return {width, height, std::move(pixels), image.notice};
}

}  // namespace mantissa
