#include "engine/preflight/dataset_check.h"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/bucketed_images.h"
#include "engine/io/image.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class DatasetChecks : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / "mantissa dataset" / info->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    preset_.data.resolution = 128;
    preset_.data.batch_size = 2;
    preset_.data.cache = CacheMode::none;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write_image(const std::string& name, int width, int height) const {
    const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * width * height), 90);
    write_png(folder_ / name, pixels, width, height);
  }

  const ImageLibrary library_;
  fs::path folder_;
  Preset preset_;
};

TEST_F(DatasetChecks, SortsAsTrainingDoes) {
  write_image("a.png", 128, 128);
  write_image("b.png", 300, 150);
  write_image("c.png", 310, 150);
  write_image("d.png", 305, 150);
  const DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  ASSERT_EQ(check.data.items.size(), 4u);
  ASSERT_EQ(check.bucket_of_item.size(), 4u);
  ASSERT_EQ(check.use.size(), 2u);
  const BucketedImages training(preset_, {{folder_}}, 32, [](LogLevel, const Message&) {}, {});
  std::int64_t batches = 0, images = 0;
  for (const BucketUse& use : check.use) {
    batches += use.batches;
    images += use.images;
  }
  EXPECT_EQ(images, 4);
  EXPECT_EQ(batches, training.loader().batches_per_epoch());
  EXPECT_EQ(training.shapes(77, 8).size(), check.use.size());
}

TEST_F(DatasetChecks, HasEachResolutionsBuckets) {
  write_image("a.png", 128, 128);
  write_image("b.png", 512, 128);
  preset_.data.further_resolutions = {64};
  const DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  ASSERT_EQ(check.uses.size(), 4u);
  ASSERT_EQ(check.use.size(), 4u);
  const auto at = [&](int width, int height) {
    return static_cast<std::size_t>(std::ranges::find(check.buckets, Bucket{width, height}) -
                                    check.buckets.begin());
  };
  EXPECT_EQ(check.bucket_of_item[0], at(128, 128));
  EXPECT_TRUE(check.is_in(0, at(128, 128)));
  EXPECT_TRUE(check.is_in(0, at(64, 64)));
  EXPECT_FALSE(check.is_in(1, at(64, 64)));
  EXPECT_TRUE(check.is_in(1, check.uses[3].bucket));
  const BucketedImages training(preset_, {{folder_}}, 32, [](LogLevel, const Message&) {}, {});
  EXPECT_EQ(batches_per_epoch(check), training.loader().batches_per_epoch());
}

TEST_F(DatasetChecks, ShowsSizesThatAreLeftOutAndWhatIsCutAway) {
  preset_.data.resolution = 256;
  write_image("square.png", 256, 256);
  write_image("wide.png", 400, 160);
  DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  EXPECT_TRUE(check.left_out.empty());
  ASSERT_EQ(check.use.size(), 2u);
  const std::size_t before = check.bucket_of_item[1];
  const Bucket wide = check.buckets[before];
  const Placement p = place_image(wide, 400, 160);
  const double scaled = double(p.scaled_width) * p.scaled_height;
  EXPECT_DOUBLE_EQ(check.cut_away[before], (scaled - double(wide.width) * wide.height) / scaled);
  EXPECT_EQ(check.cut_away[check.bucket_of_item[0]], 0);
  // Another preset's buckets, for the same images.
  preset_.data.skip_buckets = {bucket_text(wide), "33x44"};
  sort_into_buckets(check, preset_, 32);
  EXPECT_EQ(check.left_out, std::vector<Bucket>{wide});
  EXPECT_NE(check.buckets[check.bucket_of_item[1]], wide);
  EXPECT_GT(check.cut_away[check.bucket_of_item[1]], 0.03);
  // Training sorts, and warns, alike.
  std::vector<std::string> warnings;
  const BucketedImages training(preset_, {{folder_}}, 32,
                                [&](LogLevel level, const Message& text) {
                                  if (level == LogLevel::warning) {
                                    warnings.push_back(text.text());
                                  }
                                },
                                {});
  EXPECT_EQ(training.placement(check.data.items[1]).bucket, check.buckets[check.bucket_of_item[1]]);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("33x44"), std::string::npos);
}

TEST_F(DatasetChecks, FindsDuplicatesAmongTrainingImages) {
  fs::copy_file(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images/zorb_07.png",
                folder_ / "a.png");
  fs::copy_file(fs::path(MANTISSA_SOURCE_DIR) / "tests/golden/duplicates/zorb_07.jpg",
                folder_ / "b.jpg");
  write_image("c.png", 64, 64);
  const DatasetDuplicates found = find_dataset_duplicates(preset_, {{folder_}});
  ASSERT_EQ(found.items.size(), 3u);
  EXPECT_EQ(found.groups, (std::vector<DuplicateGroup>{{0, {{1, DuplicateKind::similar}}}}));
  DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  remove_image(check, 1);
  sort_into_buckets(check, preset_, 32);
  EXPECT_EQ(check.data.report.images, 2);
  EXPECT_EQ(check.data.items[1].name, "c.png");
  EXPECT_EQ(check.bucket_of_item.size(), 2u);
}

TEST_F(DatasetChecks, NamesWhatIsLeftOut) {
  write_image("good.png", 64, 64);
  write_image("tiny.png", 4, 64);
  write_image("cut.png", 64, 64);
  fs::resize_file(folder_ / "cut.png", fs::file_size(folder_ / "cut.png") / 2);
  std::ofstream(folder_ / "notes.md") << "no image";
  const DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  EXPECT_EQ(check.data.items.size(), 1u);
  ASSERT_EQ(check.data.report.skipped.size(), 3u);
  EXPECT_NE(check.data.report.skipped[2].reason.text().find("too small"), std::string::npos);
}

TEST_F(DatasetChecks, AnEmptyFolderIsAnAnswerAndAMissingOneIsNot) {
  const DatasetCheck check = check_dataset(preset_, {{folder_}}, 32);
  EXPECT_TRUE(check.data.items.empty());
  EXPECT_TRUE(check.use.empty());
  EXPECT_THROW(check_dataset(preset_, {{folder_ / "none"}}, 32), Error);
}

TEST_F(DatasetChecks, CanBeCancelled) {
  write_image("a.png", 64, 64);
  const auto cancel = [](RunPhase, std::int64_t, std::int64_t) {
    throw Error(ErrorKind::interrupted, Message::verbatim("enough"));
  };
  EXPECT_THROW(check_dataset(preset_, {{folder_}}, 32, cancel), Error);
}

TEST_F(DatasetChecks, TheBaseSaysHowFineBucketsAre) {
  EXPECT_EQ(base_quantum({}), 64);
  if (!find_resource("demo/mini-sdxl.safetensors")) {
    GTEST_SKIP() << "the demo's base is not here";
  }
  const int quantum = base_quantum("demo");
  EXPECT_GE(quantum, 8);
  EXPECT_EQ(quantum % 8, 0);
}

}  // namespace
}  // namespace mantissa
