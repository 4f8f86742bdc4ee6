// What must be encoded of a data set, the handling of images that can't be, and reading back.
#include "engine/data/encoded_dataset.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/engine/data/encoded_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class EncodedDatasets : public testing_support::EncodedFixture {
 protected:
  EncodeWork missing(EncodedDataset::Look look = EncodedDataset::Look::headers) {
    return scanned()->missing(*model_, look, {});
  }
};

TEST_F(EncodedDatasets, WhatIsCachedIsNotMissing) {
  image("a", "a square", 1);
  image("b", "wide", 2, 128, 32);
  preset_.data.cache = CacheMode::all;
  const EncodeWork before = missing();
  EXPECT_GT(before.width * before.height, 0);
  EXPECT_TRUE(before.texts);
  encoded();
  for (const auto look : {EncodedDataset::Look::headers, EncodedDataset::Look::whole}) {
    const EncodeWork after = missing(look);
    EXPECT_EQ(after.width, 0);
    EXPECT_FALSE(after.texts);
  }
  preset_.data.flip = true;
  EXPECT_GT(missing().width, 0) << "mirrored latents were never made";
}

TEST_F(EncodedDatasets, TextsAreCachedOnDiskOnlyWhereAskedFor) {
  image("a", "a square", 1);
  preset_.data.cache = CacheMode::latents;
  const auto data = encoded();
  EXPECT_FALSE(data->text("a square").empty()) << "kept in memory";
  EXPECT_EQ(missing().width, 0);
  EXPECT_TRUE(missing().texts);
}

TEST_F(EncodedDatasets, AnImageThatCannotBeDecodedIsRejectedByName) {
  image("a", "a square", 1);
  const fs::path cut = image("b", "cut off", 2);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  const auto data = scanned();
  ASSERT_EQ(data->images().count(), 2u);
  data->encode(*kernels_, *model_, {});
  EXPECT_EQ(data->images().count(), 1u);
  EXPECT_EQ(data->images().loader().batches_per_epoch(), 1);
  const DatasetReport& report = data->images().dataset().report;
  EXPECT_EQ(report.images, 1);
  ASSERT_EQ(report.skipped.size(), 1u);
  EXPECT_EQ(report.skipped[0].path, cut);
  EXPECT_EQ(report.skipped[0].kind, SkipKind::damaged);
  EXPECT_NE(notices_.find("skipped: "), std::string::npos) << notices_;
  EXPECT_FALSE(data->has_text("cut off"));
}

TEST_F(EncodedDatasets, NothingLeftIsAnError) {
  const fs::path cut = image("b", "cut off", 2);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  test::expect_error_with([this] { encoded(); }, {"no image could be read. The first: ", "b"});
}

TEST_F(EncodedDatasets, AnotherPresetIsPlannedWithoutAScan) {
  image("a", "a square", 1);
  image("b", "another", 2, 128, 128);
  const auto data = scanned();
  fs::remove_all(home_ / "images");
  Preset wider = preset_;
  wider.data.resolution = 128;
  wider.data.batch_size = 2;
  EncodedDataset other = data->with_preset(wider);
  EXPECT_EQ(other.images().dataset().items.size(), 2u);
  EXPECT_EQ(other.images().shapes(77, 8), (std::vector<StepShape>{{2, 16, 16, 77}}));
  EXPECT_EQ(data->images().shapes(77, 8), (std::vector<StepShape>{{1, 8, 8, 77}}));
  EXPECT_EQ(other.missing(*model_, EncodedDataset::Look::headers, {}).width, 128);
  EXPECT_TRUE(notices_.empty()) << notices_;
}

TEST_F(EncodedDatasets, CaptionsThatAreShuffledAreNotEncodedBefore) {
  image("a", "one, two, three", 1);
  image("b", "alone", 2);
  preset_.data.shuffle_captions = true;
  preset_.data.caption_dropout = 0.5;
  const auto data = encoded();
  EXPECT_FALSE(data->has_text("one, two, three"));
  EXPECT_TRUE(data->has_text("alone"));
  EXPECT_TRUE(data->has_text(""));
}

TEST_F(EncodedDatasets, WithTextTrainingCaptionsBecomeTokens) {
  image("a", "a square", 1);
  preset_.training.parts = model_->text_parts();
  preset_.training.parts.insert(preset_.training.parts.begin(), kDenoiser);
  const auto data = encoded();
  EXPECT_NE(data->tokens("a square"), nullptr);
  EXPECT_EQ(data->tokens("another"), nullptr);
  EXPECT_FALSE(data->has_text("a square"));
}

}  // namespace
}  // namespace mantissa
