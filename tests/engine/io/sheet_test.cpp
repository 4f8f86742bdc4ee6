#include "engine/io/sheet.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>

namespace mantissa {
namespace {

class SheetTest : public testing::Test {
 protected:
  static int ink(const TextImage& text) {
    return static_cast<int>(
        std::accumulate(text.coverage.begin(), text.coverage.end(), std::int64_t{0}) / 255);
  }
  const ImageLibrary library_;
};

TEST_F(SheetTest, TextIsDrawnWithinItsWidthAndLines) {
  const TextImage one = draw_text("a red disc", 20, 400, 3);
  EXPECT_GT(one.width, 40);
  EXPECT_LE(one.width, 400);
  EXPECT_GT(ink(one), 50);
  const TextImage broken = draw_text("a red disc on a wall of bricks", 20, 110, 3);
  EXPECT_LE(broken.width, 110);
  EXPECT_GT(broken.height, one.height * 3 / 2) << "broken into lines";
  EXPECT_LE(draw_text(std::string(400, 'x') + " " + std::string(900, 'y'), 20, 110, 2).height,
            2 * line_height(20));
  EXPECT_EQ(draw_text(" \n", 20, 100, 1).width, 0);
}

TEST_F(SheetTest, TextIsNoMarkup) {
  const int plain = ink(draw_text("xx b xx", 20, 400, 1));
  const TextImage marked = draw_text("<b>&amp; b</b>", 20, 400, 1);
  EXPECT_GT(ink(marked), plain) << "every character is drawn";
  EXPECT_GT(ink(draw_text("<unclosed & broken", 20, 400, 1)), 50);
}

TEST_F(SheetTest, ImagesAndTextsKeepTheirPlaces) {
  Sheet sheet(40, 30);
  Image red{4, 2, {}};
  for (int i = 0; i < 8; ++i) {
    red.pixels.insert(red.pixels.end(), {255, 0, 0});
  }
  sheet.paste(red, 10, 20);
  sheet.paste(red, 38, 29);  // cut at the edge
  sheet.write({2, 1, {255, 0}}, 0, 0);
  const auto file = std::filesystem::path(testing::TempDir()) / "mantissa-sheet.png";
  sheet.save(file, {{"prompt", "x"}});
  const Image back = load_image(file);
  ASSERT_EQ(back.width, 40);
  ASSERT_EQ(back.height, 30);
  const auto pixel = [&](int x, int y) {
    const auto* p = back.pixels.data() + (y * 40 + x) * 3;
    return p[0] << 16 | p[1] << 8 | p[2];
  };
  EXPECT_EQ(pixel(0, 0), 0) << "text";
  EXPECT_EQ(pixel(1, 0), 0xFFFFFF);
  EXPECT_EQ(pixel(10, 20), 0xFF0000);
  EXPECT_EQ(pixel(13, 21), 0xFF0000);
  EXPECT_EQ(pixel(14, 21), 0xFFFFFF);
  EXPECT_EQ(pixel(39, 29), 0xFF0000);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace mantissa
