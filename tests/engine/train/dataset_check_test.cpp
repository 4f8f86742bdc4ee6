#include "engine/train/dataset_check.h"

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
  const BucketedImages training(preset_, {{folder_}}, 32, [](int, const Message&) {}, {});
  std::int64_t batches = 0, images = 0;
  for (const BucketUse& use : check.use) {
    batches += use.batches;
    images += use.images;
  }
  EXPECT_EQ(images, 4);
  EXPECT_EQ(batches, training.loader().batches_per_epoch());
  EXPECT_EQ(training.shapes(77, 8).size(), check.use.size());
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
