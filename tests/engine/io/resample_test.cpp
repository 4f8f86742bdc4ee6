#include "engine/io/resample.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "tests/test_util.h"

namespace mantissa {
namespace {

Image made(int width, int height, auto&& value) {
  Image image{width, height, {}, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        image.pixels.push_back(static_cast<std::uint8_t>(std::lround(value(x + 0.5, y + 0.5, c))));
      }
    }
  }
  return image;
}

/// Slow waves, which no resampler may change much.
double wave(double x, double y, int c) {
  return 128 + 60 * std::sin(x / 9 + c) + 50 * std::cos(y / 7 - c);
}

TEST(RotatedCrop, WithoutAnAngleIsThePlainCrop) {
  const Image source = made(90, 70, wave);
  for (const ScaledPart& part :
       {ScaledPart{60, 47, 7, 3, 32, 24}, ScaledPart{90, 70, 0, 0, 90, 70}}) {
    const Image plain = resize_crop(source, part.scaled_width, part.scaled_height, part.left,
                                    part.top, part.width, part.height);
    EXPECT_EQ(rotated_crop(source, part, 0).pixels, plain.pixels);
  }
}

TEST(RotatedCrop, TurnsCounterclockwiseAboutTheCentreOfTheCrop) {
  const Image source = made(120, 100, wave);
  const ScaledPart part{120, 100, 30, 22, 48, 40};
  for (const double degrees : {12.5, -12.5, 33.0, 45.0}) {
    SCOPED_TRACE(degrees);
    const double a = degrees * std::numbers::pi / 180;
    const Image got = rotated_crop(source, part, degrees);
    ASSERT_EQ(got.width, 48);
    ASSERT_EQ(got.height, 40);
    for (int y = 0; y < got.height; ++y) {
      for (int x = 0; x < got.width; ++x) {
        const double dx = x + 0.5 - 24, dy = y + 0.5 - 20;
        // What appears to the right lay below before a counter-clockwise turn.
        const double u = 54 + dx * std::cos(a) - dy * std::sin(a);
        const double v = 42 + dx * std::sin(a) + dy * std::cos(a);
        for (int c = 0; c < 3; ++c) {
          ASSERT_NEAR(got.pixels[static_cast<std::size_t>(3 * (y * 48 + x) + c)], wave(u, v, c),
                      1.5)
              << x << "," << y;
        }
      }
    }
  }
}

TEST(RotatedCrop, AQuarterTurnMovesEveryPixel) {
  unsigned seed = 1;
  const Image source = made(20, 20, [&](double, double, int) {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 24;
  });
  const Image got = rotated_crop(source, {20, 20, 0, 0, 20, 20}, 90);
  for (std::size_t y = 0; y < 20; ++y) {
    for (std::size_t x = 0; x < 20; ++x) {
      ASSERT_EQ(got.pixels[3 * (y * 20 + x)], source.pixels[3 * (x * 20 + (19 - y))]);
    }
  }
}

TEST(RotatedCrop, ACornerOutsideTheImageIsRefused) {
  const Image source = made(64, 64, wave);
  EXPECT_NO_THROW(rotated_crop(source, {64, 64, 16, 16, 32, 32}, 45));
  test::expect_error_with([&] { rotated_crop(source, {64, 64, 0, 16, 32, 32}, 5); }, {"(0, 16)"});
  test::expect_error_with([&] { rotated_crop(source, {64, 64, 16, 32, 32, 32}, -5); }, {"64 x 64"});
}

}  // namespace
}  // namespace mantissa
