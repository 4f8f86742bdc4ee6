#include "engine/data/image_cut.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

namespace fs = std::filesystem;

TEST(ImageCut, MirroringTwiceChangesNothing) {
  Image image{3, 2, {}, {}};
  for (std::uint8_t i = 0; i < 18; ++i) {
    image.pixels.push_back(i);
  }
  const std::vector<std::uint8_t> before = image.pixels;
  mirror(image);
  EXPECT_EQ(std::vector<std::uint8_t>(image.pixels.begin(), image.pixels.begin() + 9),
            (std::vector<std::uint8_t>{6, 7, 8, 3, 4, 5, 0, 1, 2}));
  mirror(image);
  EXPECT_EQ(image.pixels, before);
}

TEST(ImageCut, AShelfReadsAFileOnceUntilItIsCleared) {
  const ImageLibrary library;
  const fs::path file = fs::path(testing::TempDir()) / "mantissa-shelf.png";
  write_png(file, std::vector<std::uint8_t>(3 * 8 * 8, 90), 8, 8);
  const ImageVersion version{place_image({8, 8}, 8, 8)};
  ImageShelf shelf;
  const Image first = shelf.image(0, 0, file, version);
  fs::remove(file);
  EXPECT_EQ(shelf.image(0, 0, file, version).pixels, first.pixels);
  EXPECT_THROW(shelf.image(1, 0, file, version), Error);
  EXPECT_THROW(shelf.image(0, 1, file, version), Error) << "another version";
  shelf.clear();
  EXPECT_THROW(shelf.image(0, 0, file, version), Error);
}

}  // namespace
}  // namespace mantissa
