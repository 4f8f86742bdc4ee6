// Where a reference's pixels come to lie: beside an image of its shape in the same places, alone as
// diffusers' Flux2KleinPipeline puts them.
#include "engine/data/reference_placement.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/data/image_cut.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

constexpr ReferenceRule kRule{1024 * 1024, 16};

class ReferencePlacement : public ::testing::Test {
 protected:
  /// An image in which every pixel differs from its neighbours.
  fs::path drawn(const std::string& name, int width, int height) const {
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (const int level : {2 * x + y, 255 - x, 3 * y + x * y / 16}) {
          pixels.push_back(static_cast<std::uint8_t>(level));
        }
      }
    }
    write_png(folder_.path() / name, pixels, width, height);
    return folder_.path() / name;
  }
  static ReferenceImage sized(int width, int height) {
    ReferenceImage reference;
    reference.width = width;
    reference.height = height;
    return reference;
  }
  static ImageItem image_of(int width, int height) {
    ImageItem item;
    item.width = width;
    item.height = height;
    item.content_hash = std::string(64, 'a');
    return item;
  }

  const ImageLibrary library_;
  const test::TempFolder folder_;
};

TEST_F(ReferencePlacement, APairIsCutPixelByPixelAlike) {
  Preset preset;
  preset.data.crop_jitter = 0.2;
  preset.data.rotation = 10;
  preset.data.brightness = 0.3;
  preset.data.hue = 0.1;
  preset.data.variants = 4;
  const fs::path image = drawn("image.png", 150, 100), partner = drawn("partner.png", 150, 100);
  for (int variant = 0; variant < preset.data.variants; ++variant) {
    const ImageItem item = image_of(150, 100);
    const ImageVersion version = image_version(preset, {96, 64}, item, variant);
    Image target = cut_image(image, version);
    Image reference = cut_image(partner, reference_version(kRule, sized(150, 100), item, version));
    EXPECT_EQ(target.pixels, reference.pixels) << variant;
    mirror(target);
    EXPECT_NE(target.pixels, reference.pixels) << "no image is its own mirror image";
    mirror(reference);
    EXPECT_EQ(target.pixels, reference.pixels) << "mirrored, " << variant;
  }
}

TEST_F(ReferencePlacement, APartnerOfAnotherSizeShowsTheSamePart) {
  const ImageItem item = image_of(300, 200);
  const ImageVersion version{place_image({64, 64}, 300, 200, {.zoom = 1000, .position = {{7, 9}}})};
  const ImageVersion other = reference_version(kRule, sized(150, 100), item, version);
  EXPECT_EQ(other.placement.bucket, version.placement.bucket);
  EXPECT_EQ(other.placement.left, version.placement.left);
  EXPECT_EQ(other.placement.scaled_width, version.placement.scaled_width);
  EXPECT_EQ(other.placement.original_width, 150);
}

TEST_F(ReferencePlacement, IsNeverLargerThanThePipelineTakes) {
  const ImageItem item = image_of(3000, 2000);
  const ImageVersion version{place_image({1856, 1248}, 3000, 2000)};
  const Placement p = reference_version(kRule, sized(3000, 2000), item, version).placement;
  EXPECT_LE(p.bucket.width * p.bucket.height, 1024 * 1024);
  EXPECT_EQ(p.bucket.width % 16, 0);
  EXPECT_EQ(p.bucket.height % 16, 0);
  EXPECT_NEAR(static_cast<double>(p.left) / p.scaled_width,
              static_cast<double>(version.placement.left) / version.placement.scaled_width, 2e-3);
  EXPECT_GE(p.scaled_width - p.left, p.bucket.width);
  EXPECT_GE(p.scaled_height - p.top, p.bucket.height);
}

// Sizes and crops of Flux2KleinPipeline for these images.
TEST_F(ReferencePlacement, AloneIsWhatThePipelineMakesOfIt) {
  const auto placed = [](int width, int height) {
    return place_reference(kRule, sized(width, height));
  };
  const Placement small = placed(70, 100);
  EXPECT_EQ(small.bucket, (Bucket{64, 96}));
  EXPECT_EQ(small.scaled_width, 70) << "never enlarged";
  EXPECT_EQ(small.left, 3);
  EXPECT_EQ(small.top, 2);
  const Placement large = placed(3000, 2000);
  EXPECT_EQ(large.scaled_width, 1254);
  EXPECT_EQ(large.scaled_height, 836);
  EXPECT_EQ(large.bucket, (Bucket{1248, 832}));
  EXPECT_EQ(large.left, 3);
  EXPECT_EQ(large.top, 2);
}

TEST_F(ReferencePlacement, OfAnotherShapeIsAloneAndKeepsTheColours) {
  const ImageItem item = image_of(100, 100);
  ImageVersion version{place_image({64, 64}, 100, 100, {.zoom = 2000})};
  version.color.hue = 300;
  const ImageVersion other = reference_version(kRule, sized(200, 100), item, version);
  EXPECT_EQ(other.placement.bucket, (Bucket{192, 96}));
  EXPECT_EQ(other.color, version.color);
}

TEST_F(ReferencePlacement, SmallerThanATokenIsRefused) {
  EXPECT_THROW(place_reference(kRule, sized(15, 100)), Error);
}

}  // namespace
}  // namespace mantissa
