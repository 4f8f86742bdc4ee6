// Captions for a folder by something that describes images: files that images share, and images
// that go while it runs.
#include "engine/caption/caption_images.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/data/image_scan.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/png.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class CaptionImagesTest : public testing::Test {
 protected:
  void SetUp() override {
    test::set_environment("MANTISSA_HOME", (folder_ / "home").string());
    fs::create_directories(images());
    for (const char* name : {"a.png", "a.webp", "b.png"}) {
      const std::vector<std::uint8_t> pixels(16 * 12 * 3, 90);
      std::ofstream(images() / name, std::ios::binary) << png_bytes(pixels, 16, 12);
    }
    std::ofstream(images() / "a.txt") << "mine";
  }
  void TearDown() override { test::set_environment("MANTISSA_HOME", std::nullopt); }
  fs::path images() const { return folder_ / "images"; }

  /// Describes each image as "tag1", "tag2", …
  CaptionCounts caption(ExistingCaption existing) {
    ScanOptions look;
    look.decode = false;
    const Dataset dataset = scan_images(std::vector{images()}, look);
    if (before_) {
      before_();
    }
    CaptionOptions options;
    options.existing = existing;
    int number = 0;
    return caption_images(
        dataset,
        [&](const Image&) { return std::vector<std::string>{"tag" + std::to_string(++number)}; },
        options,
        [&](const CaptionedImage& image) {
          problems_ += image.problem.text();
          return true;
        });
  }

  test::TempFolder folder_;
  ImageLibrary library_;
  std::function<void()> before_;
  std::string problems_;
};

TEST_F(CaptionImagesTest, ImagesWithOneFileAddToItOneAfterAnother) {
  EXPECT_EQ(caption(ExistingCaption::append).written, 3);
  EXPECT_EQ(read_text(images() / "a.txt"), "mine, tag1, tag2\n");
}

TEST_F(CaptionImagesTest, ACaptionMadeForOneOfThemIsKeptForTheOther) {
  fs::remove(images() / "a.txt");
  const CaptionCounts counts = caption(ExistingCaption::keep);
  EXPECT_EQ(counts.written, 2);
  EXPECT_EQ(counts.kept, 1);
  EXPECT_EQ(read_text(images() / "a.txt"), "tag1\n");
}

TEST_F(CaptionImagesTest, AnImageThatIsGoneCostsTheOthersNothing) {
  before_ = [this] { fs::remove(images() / "a.webp"); };
  const CaptionCounts counts = caption(ExistingCaption::replace);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.written, 2);
  EXPECT_NE(problems_.find("a.webp"), std::string::npos) << problems_;
}

}  // namespace
}  // namespace mantissa
