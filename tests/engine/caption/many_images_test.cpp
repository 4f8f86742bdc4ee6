// A folder of a thousand images, captioned by a tiny tagger: cancelled, gone on with, undone.
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>

#include "engine/caption/caption_images.h"
#include "engine/caption/caption_journal.h"
#include "engine/core/error.h"
#include "engine/data/image_scan.h"
#include "engine/io/file.h"
#include "engine/io/png.h"
#include "kernels/cpu/cpu.h"
#include "tests/environment.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kImages = 1000, kMine = 50, kCancelAfter = 400;

class ManyImages : public testing::Test {
 protected:
  void SetUp() override {
    test::set_environment("MANTISSA_HOME", (folder_ / "home").string());
    std::vector<std::uint8_t> pixels(16 * 12 * 3);
    for (int i = 0; i < kImages; ++i) {
      for (std::size_t k = 0; k < pixels.size(); ++k) {
        pixels[k] = static_cast<std::uint8_t>((static_cast<std::size_t>(i) * 37 + k * k) % 251);
      }
      const std::string name = "img-" + std::to_string(10000 + i);
      fs::create_directories(images());
      std::ofstream(images() / (name + ".png"), std::ios::binary) << png_bytes(pixels, 16, 12);
      if (i % (kImages / kMine) == 0) {
        std::ofstream(images() / (name + ".txt")) << "mine " << i << "\n";
      }
    }
  }
  void TearDown() override { test::set_environment("MANTISSA_HOME", std::nullopt); }
  fs::path images() const { return folder_ / "images"; }

  CaptionCounts caption(int most) {
    ScanOptions look;
    look.decode = false;
    const Dataset dataset = scan_images(std::vector{images()}, look);
    EXPECT_EQ(std::ssize(dataset.items), kImages);
    CaptionOptions options;
    options.tags.threshold = 0;
    int done = 0;
    return caption_images(dataset, tagger_, options,
                          [&](const CaptionedImage&) { return ++done < most; });
  }
  /// Every caption file's text, by its name.
  std::map<std::string, std::string> captions() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(images())) {
      if (entry.path().extension() == ".txt") {
        all[entry.path().filename().string()] = read_text(entry.path());
      }
    }
    return all;
  }

  const ImageLibrary library_;
  test::TempFolder folder_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels(1);
  Tagger tagger_{*kernels_, fs::path(MANTISSA_TEST_DATA) / "golden/taggers/vit"};
};

TEST_F(ManyImages, AreCaptionedCancelledGoneOnWithAndUndone) {
  const std::map<std::string, std::string> before = captions();
  ASSERT_EQ(std::ssize(before), kMine);
  const CaptionCounts first = caption(kCancelAfter);
  EXPECT_EQ(first.images, kCancelAfter);
  EXPECT_EQ(first.kept + first.written, kCancelAfter);
  const std::map<std::string, std::string> half = captions();
  EXPECT_EQ(std::ssize(half), kMine + first.written);

  const CaptionCounts second = caption(kImages);
  EXPECT_EQ(second.images, kImages);
  EXPECT_EQ(second.kept, kMine + first.written) << "nothing is done twice";
  EXPECT_EQ(first.written + second.written, kImages - kMine);
  const std::map<std::string, std::string> all = captions();
  EXPECT_EQ(std::ssize(all), kImages);
  for (const auto& [file, text] : half) {
    EXPECT_EQ(all.at(file), text) << file;
  }
  for (const auto& [file, text] : all) {
    EXPECT_GT(text.size(), 1U) << file;
  }

  // Each session is taken back by itself, the latest first.
  EXPECT_EQ(undo_captions()->removed, second.written);
  EXPECT_EQ(captions(), half);
  EXPECT_EQ(undo_captions()->removed, first.written);
  EXPECT_EQ(captions(), before);
  EXPECT_FALSE(undo_captions());
}

}  // namespace
}  // namespace mantissa
