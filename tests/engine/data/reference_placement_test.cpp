// Where a reference's pixels come to lie: beside an image of its shape in the same places, alone as
// diffusers' Flux2KleinPipeline puts them.
#include "engine/data/reference_placement.h"

#include <array>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/data/image_cut.h"
#include "engine/io/pillow_resize.h"
#include "engine/io/resample.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

constexpr ReferenceRule kRule{1024 * 1024, 16};
/// FLUX.3's.
constexpr ReferenceRule kWhole{1024 * 1024, 16, 4 * 1024 * 1024};

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
    return place_reference(kRule, sized(width, height), 1);
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

TEST_F(ReferencePlacement, AloneItIsScaledAsPipelinesDoBesideItsImageAsThatIs) {
  constexpr ReferenceRule kSmall{64 * 64, 16};
  const fs::path file = drawn("reference.png", 150, 100);
  const Placement alone = place_reference(kSmall, sized(150, 100), 1);
  EXPECT_EQ(alone.scaled_width, 78);
  const Image whole = pillow_resize(load_image(file), 78, 52, PillowFilter::lanczos);
  EXPECT_EQ(cut_image(file, {alone}).pixels, resize_crop(whole, 78, 52, 7, 2, 64, 48).pixels);
  const ReferenceRule kept{1024 * 1024, 16, 64 * 64};  // as FLUX.3's, of a smaller area
  const Placement around = place_reference(kept, sized(150, 100), 1);
  const ShownPart shown = shown_part(around);
  const Image canvas = cut_image(file, {around});
  EXPECT_EQ(
      resize_crop(canvas, canvas.width, canvas.height, shown.left, shown.top, shown.width,
                  shown.height)
          .pixels,
      pillow_resize(load_image(file), shown.width, shown.height, PillowFilter::lanczos).pixels);

  const ImageItem item = image_of(150, 100);
  const ImageVersion version{place_image({96, 64}, 150, 100)};
  EXPECT_FALSE(reference_version(kSmall, sized(150, 100), item, version).placement.pillow);
  const ReferenceRule stretches{.most_pixels = 64 * 64, .multiple = 16, .stretches = true};
  EXPECT_FALSE(place_reference(stretches, sized(150, 100), 1).pillow) << "no pipeline's";
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
  EXPECT_THROW(place_reference(kRule, sized(15, 100), 1), Error);
  EXPECT_THROW(place_reference(kWhole, sized(15, 100), 2), Error);
}

// Sizes, canvases and regions of Flux3ImageProcessor for these images.
TEST_F(ReferencePlacement, ALoneOneIsKeptWholeAsFlux3sPipelineDoes) {
  struct Case {
    int width, height;
    Bucket scaled, canvas;
    int left, top;
  };
  for (const Case& c :
       {Case{70, 100, {70, 100}, {80, 112}, 5, 6},
        Case{3000, 2000, {2496, 1664}, {2496, 1664}, 0, 0},
        Case{2047, 2049, {2037, 2039}, {2048, 2048}, 5, 4},
        Case{20, 200, {20, 200}, {64, 208}, 22, 4}, Case{5000, 100, {4096, 82}, {4096, 96}, 0, 7},
        Case{4100, 1030, {4066, 1021}, {4080, 1024}, 7, 1},
        Case{15, 10, {15, 10}, {64, 64}, 24, 27},
        Case{2050, 2046, {2040, 2036}, {2048, 2048}, 4, 6}}) {
    const Placement p = place_reference(kWhole, sized(c.width, c.height), 1);
    EXPECT_EQ((Bucket{p.scaled_width, p.scaled_height}), c.scaled) << c.width;
    EXPECT_EQ(p.bucket, c.canvas) << c.width;
    EXPECT_EQ(-p.left, c.left) << c.width;
    EXPECT_EQ(-p.top, c.top) << c.width;
    const ShownPart shown = shown_part(p);
    EXPECT_EQ(shown.left, c.left);
    EXPECT_EQ(shown.top, c.top);
    EXPECT_EQ((Bucket{shown.width, shown.height}), c.scaled);
  }
  EXPECT_EQ(place_reference(kWhole, sized(70, 100), 2).bucket, (Bucket{64, 96}))
      << "of several, each is cut";
}

// Rows and columns of Flux3ImageProcessor: of an image no larger than a token, the edges repeat.
TEST_F(ReferencePlacement, ALoneOnesEdgesAreReflectedAsInFlux3sPipeline) {
  struct Case {
    int width;
    std::vector<int> start;  ///< columns of the image that the first of the canvas show
  };
  for (const Case& c : {Case{20, {16, 17, 18, 19, 18, 17, 16, 15, 14, 13, 12, 11,
                                  10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,  1}},
                        Case{10, {6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6,
                                  7, 8, 9, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0}}}) {
    const fs::path file = drawn("small.png", c.width, 20);
    const Image image = load_image(file);
    const Placement p = place_reference(kWhole, sized(c.width, 20), 1);
    const Image whole = cut_image(file, {p});
    ASSERT_EQ(whole.width, 64);
    ASSERT_EQ(whole.height, 64);
    const auto pixel = [](const Image& from, int x, int y) {
      const auto at = from.pixels.begin() + 3 * (y * from.width + x);
      return std::vector<std::uint8_t>(at, at + 3);
    };
    for (std::size_t x = 0; x < c.start.size(); ++x) {
      EXPECT_EQ(pixel(whole, static_cast<int>(x), 22), pixel(image, c.start[x], 0)) << x;
    }
    EXPECT_EQ(pixel(whole, -p.left, 22 + 7), pixel(image, 0, 7));
  }
}

/// FLUX.1 Kontext's, three of its sizes.
constexpr std::array kPreferred{ImageSize{832, 1248}, ImageSize{1024, 1024}, ImageSize{1248, 832}};
constexpr ReferenceRule kStretched{1024 * 1024, 16, 0, kPreferred, 1};

// As FluxKontextPipeline resizes them: all of the image, whatever its size.
TEST_F(ReferencePlacement, IsStretchedToTheSizeOfTheNearestShape) {
  struct Case {
    int width, height;
    Bucket size;
  };
  // 1.25 lies at 0.25 of both 1 and 1.5: the narrower one.
  for (const Case& c :
       {Case{70, 100, {832, 1248}}, Case{3000, 2000, {1248, 832}}, Case{10, 10, {1024, 1024}},
        Case{1250, 1000, {1024, 1024}}, Case{1260, 1000, {1248, 832}}}) {
    const Placement p = place_reference(kStretched, sized(c.width, c.height), 1);
    EXPECT_EQ(p.bucket, c.size) << c.width;
    EXPECT_EQ((Bucket{p.scaled_width, p.scaled_height}), c.size) << c.width;
    EXPECT_EQ(p.left, 0);
    EXPECT_EQ(p.top, 0);
  }
}

TEST_F(ReferencePlacement, APairsSizeIsItsImagesWhateverTheModelPrefers) {
  ImageItem item = image_of(300, 200);
  item.references = {sized(150, 100)};
  const ImageVersion version{place_image({96, 64}, 300, 200)};
  EXPECT_EQ(reference_version(kStretched, item.references[0], item, version).placement.bucket,
            (Bucket{96, 64}));
}

TEST_F(ReferencePlacement, MoreThanTheModelReadsAreRefused) {
  const auto refusal = [](auto&& place) { return test::message_of(place); };
  ReferenceImage given = sized(100, 100);
  given.path = "before/cat.png";
  const std::string alone = refusal([&] { place_reference(kStretched, given, 2); });
  EXPECT_NE(alone.find("cat.png is one of 2 references"), std::string::npos) << alone;
  ImageItem item = image_of(100, 100);
  item.references = {given, given};
  const ImageVersion version{place_image({64, 64}, 100, 100)};
  EXPECT_EQ(refusal([&] { reference_version(kStretched, given, item, version); }), alone);
}

TEST_F(ReferencePlacement, ALonePartnersAreaIsThatOfOneAlone) {
  ImageItem item = image_of(3000, 2000);
  const ImageVersion version{place_image({1856, 1248}, 3000, 2000)};
  item.references = {sized(3000, 2000)};
  EXPECT_EQ(reference_version(kWhole, sized(3000, 2000), item, version).placement.bucket,
            version.placement.bucket);
  item.references.resize(2);
  const Bucket two = reference_version(kWhole, sized(3000, 2000), item, version).placement.bucket;
  EXPECT_LE(two.width * two.height, 1024 * 1024);
}

// QwenImage21Pipeline's sizes: calculate_dimensions(1024 * 1024, width / height).
TEST(ReferenceSizes, FillTheAreaAsQwenImage21sPipelineDoes) {
  const ReferenceRule fills{.most_pixels = 1024 * 1024, .multiple = 32, .fills = true};
  const auto placed = [&](const ReferenceRule& rule, int width, int height) {
    ReferenceImage reference;
    reference.width = width;
    reference.height = height;
    return place_reference(rule, reference, 2);
  };
  const std::array<std::array<int, 4>, 6> cases{{{1024, 1024, 1024, 1024},
                                                 {64, 64, 1024, 1024},
                                                 {1920, 1080, 1376, 768},
                                                 {100, 333, 576, 1856},
                                                 {4000, 3000, 1184, 896},
                                                 {70, 50, 1216, 864}}};
  for (const auto& [width, height, wide, high] : cases) {
    const Placement p = placed(fills, width, height);
    EXPECT_EQ(p.bucket, (Bucket{wide, high})) << width << "x" << height;
    EXPECT_EQ(p.scaled_width, wide) << "stretched, nothing is cut";
    EXPECT_EQ(p.scaled_height, high);
  }
  EXPECT_EQ(placed(rule_beside(fills, 512 * 512), 70, 50).bucket, (Bucket{608, 448}));
  EXPECT_EQ(placed(rule_beside(fills, 2048 * 2048), 64, 64).bucket, (Bucket{1024, 1024}));
  EXPECT_EQ(rule_beside({.most_pixels = 1024 * 1024}, 64).most_pixels, 1024 * 1024);
}

// AI Toolkit's edits of Krea 2.
TEST(ReferenceSizes, AreStretchedToTheNearestTokensWhereTheRuleSaysSo) {
  const ReferenceRule rule{.most_pixels = 1024 * 1024, .multiple = 16, .stretches = true};
  const std::array<std::array<int, 4>, 6> cases{{{1024, 1024, 1024, 1024},
                                                 {70, 50, 64, 48},
                                                 {72, 56, 64, 64},
                                                 {24, 40, 32, 32},
                                                 {4000, 3000, 1184, 880},
                                                 {7, 2000, 16, 2000}}};
  for (const auto& [width, height, wide, high] : cases) {
    ReferenceImage reference;
    reference.width = width;
    reference.height = height;
    const Placement p = place_reference(rule, reference, 1);
    EXPECT_EQ(p.bucket, (Bucket{wide, high})) << width << "x" << height;
    EXPECT_EQ(p.scaled_width, wide) << "stretched, nothing is cut";
    EXPECT_EQ(p.scaled_height, high);
  }
}

// QwenImageEditPlusPipeline's: calculate_dimensions(384 * 384, width / height) of the image as it
// was, not of what the denoiser gets.
TEST(ReferenceSizes, TheTextEncoderSeesTheSameInAnotherArea) {
  const ReferenceRule rule{
      .most_pixels = 1024 * 1024, .multiple = 32, .fills = true, .seen_pixels = 384 * 384};
  ReferenceImage reference;
  const std::array<std::array<int, 4>, 4> cases{
      {{64, 64, 384, 384}, {1920, 1080, 512, 288}, {100, 333, 224, 704}, {70, 50, 448, 320}}};
  for (const auto& [width, height, wide, high] : cases) {
    reference.width = width;
    reference.height = height;
    const ImageVersion placed{place_reference(rule, reference, 2)};
    const Placement p = seen_version(rule, placed).placement;
    EXPECT_EQ(p.bucket, (Bucket{wide, high})) << width << "x" << height;
    EXPECT_EQ(p.scaled_width, wide);
    EXPECT_EQ(p.scaled_height, high);
    EXPECT_EQ(seen_version({}, placed).placement.bucket, placed.placement.bucket);
  }
  // Half of an image: a square, from the same place.
  const ImageVersion half{{.original_width = 200,
                           .original_height = 100,
                           .scaled_width = 128,
                           .scaled_height = 64,
                           .left = 64,
                           .bucket = {64, 64}}};
  const Placement p = seen_version(rule, half).placement;
  EXPECT_EQ(p.bucket, (Bucket{384, 384}));
  EXPECT_EQ(p.scaled_width, 768);
  EXPECT_EQ(p.left, 384);
}

}  // namespace
}  // namespace mantissa
