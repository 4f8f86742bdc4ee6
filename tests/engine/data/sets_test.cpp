#include "engine/data/sets.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/data/loader.h"
#include "engine/data/masks.h"
#include "engine/io/image.h"
#include "tests/engine/data/item_repeats.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

class Sets : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / "mantissa sets" /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  /// An image whose content depends on `shade`.
  fs::path write_image(const std::string& name, int shade, int width = 32, int height = 32) const {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * width * height),
                                     static_cast<std::uint8_t>(shade));
    pixels[0] = static_cast<std::uint8_t>(shade / 256);
    write_png(path, pixels, width, height);
    return path;
  }
  ImageSets gather(const SetFolders& folders, const ScanOptions& options = {}) const {
    return gather_sets(folders, preset_, options);
  }
  static std::set<std::string> names(const std::vector<ImageItem>& items) {
    std::set<std::string> all;
    for (const ImageItem& item : items) {
      all.insert(item.name);
    }
    return all;
  }
  static bool noticed(const ImageSets& sets, const std::string& part) {
    for (const Message& n : sets.train.report.notices) {
      if (n.text().find(part) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  const ImageLibrary library_;
  fs::path root_;
  Preset preset_;
};

TEST_F(Sets, ShareIsByContentAndStable) {
  for (int i = 0; i < 200; ++i) {
    write_image("all/" + std::to_string(i) + ".png", i);
  }
  preset_.data.validation_share = 0.2;
  const ImageSets before = gather({{root_ / "all"}, {}, {}});
  EXPECT_NEAR(static_cast<double>(before.validation.size()), 40, 17);  // 3 standard deviations
  EXPECT_EQ(before.train.report.images, std::ssize(before.train.items));
  EXPECT_EQ(before.train.report.held_out, std::ssize(before.validation));
  EXPECT_EQ(before.train.items.size() + before.validation.size(), 200u);
  for (int i = 200; i < 240; ++i) {
    write_image("all/" + std::to_string(i) + ".png", i);
  }
  fs::rename(root_ / "all/7.png", root_ / "all/renamed.png");
  fs::remove(root_ / "all/8.png");
  const ImageSets after = gather({{root_ / "all"}, {}, {}});
  const auto held = names(after.validation);
  for (const ImageItem& item : before.validation) {
    if (item.name != "8.png") {
      EXPECT_TRUE(held.contains(item.name == "7.png" ? "renamed.png" : item.name)) << item.name;
    }
  }
  const auto trained = names(after.train.items);
  for (const ImageItem& item : before.train.items) {
    if (item.name != "8.png") {
      EXPECT_TRUE(trained.contains(item.name == "7.png" ? "renamed.png" : item.name)) << item.name;
    }
  }
}

TEST_F(Sets, AShareOfFewIsAtLeastOneAndNeverAll) {
  write_image("all/a.png", 1);
  write_image("all/b.png", 2);
  preset_.data.validation_share = 1e-9;
  const ImageSets sets = gather({{root_ / "all"}, {}, {}});
  EXPECT_EQ(sets.validation.size(), 1u);
  EXPECT_EQ(sets.train.items.size(), 1u);
  fs::remove(root_ / "all/b.png");
  EXPECT_THROW(gather({{root_ / "all"}, {}, {}}), Error);
}

TEST_F(Sets, WhatIsHeldOutIsNeverTrained) {
  write_image("train/a.png", 1);
  write_image("train/b.png", 2);
  write_image("train/c.png", 3);
  write_image("held/other-name.png", 2);
  write_image("held/d.png", 4);
  const ImageSets sets = gather({{root_ / "train"}, {}, {root_ / "held"}});
  EXPECT_EQ(names(sets.train.items), (std::set<std::string>{"a.png", "c.png"}));
  EXPECT_EQ(names(sets.validation), (std::set<std::string>{"other-name.png", "d.png"}));
  EXPECT_TRUE(noticed(sets, "b.png is also in a validation folder"));
  EXPECT_EQ(sets.train.report.folders.size(), 2u);
  EXPECT_THROW(gather({{root_ / "held"}, {}, {root_ / "held"}}), Error) << "nothing is left";
}

TEST_F(Sets, PriorImagesComeLastAndMatchTheOthers) {
  for (int i = 0; i < 5; ++i) {
    write_image("train/" + std::to_string(i) + ".png", i);
  }
  for (int i = 3; i < 7; ++i) {
    write_image("prior/" + std::to_string(i) + ".png", i);  // 3 and 4 are already training images
  }
  preset_.data.repeats = 3;
  const ImageSets sets = gather({{root_ / "train"}, {root_ / "prior"}, {}});
  EXPECT_EQ(sets.train.report.images, 5);
  EXPECT_EQ(sets.train.report.prior, 2);
  ASSERT_EQ(sets.train.items.size(), 7u);
  EXPECT_FALSE(sets.train.items[4].prior);
  EXPECT_TRUE(sets.train.items[5].prior);
  EXPECT_TRUE(noticed(sets, "isn't used for prior preservation"));
  // 15 samples of the images, so 15 of two prior images: 8 and 7.
  EXPECT_EQ(testing_support::item_repeats(sets.train, preset_),
            (std::vector<int>{3, 3, 3, 3, 3, 8, 7}));

  const std::vector<std::size_t> one_bucket(7, 0);
  LoaderOptions options = loader_options(preset_);
  options.batch_size = 2;
  const Loader loader(one_bucket, options, testing_support::item_repeats(sets.train, preset_));
  std::map<std::size_t, int> seen;
  for (std::int64_t i = 0; i < loader.batches_per_epoch(); ++i) {
    for (const std::size_t item : loader.plan(i).items) {
      ++seen[item];
    }
  }
  EXPECT_EQ(seen[0], 3);
  EXPECT_EQ(seen[5], 8);
  EXPECT_EQ(seen[6], 7);

  preset_.training.prior_weight = 0;
  const ImageSets without = gather({{root_ / "train"}, {root_ / "prior"}, {}});
  EXPECT_EQ(without.train.items.size(), 5u);
  EXPECT_TRUE(noticed(without, "training.prior_weight is 0"));
}

TEST_F(Sets, WhatIsHeldOutIsNoPriorEither) {
  write_image("train/a.png", 1);
  write_image("held/b.png", 2);
  write_image("prior/same-as-b.png", 2);
  write_image("prior/c.png", 3);
  preset_.data.repeats = 5;
  const ImageSets sets = gather({{root_ / "train"}, {root_ / "prior"}, {root_ / "held"}});
  EXPECT_EQ(names(sets.train.items), (std::set<std::string>{"a.png", "c.png"}));
  EXPECT_EQ(sets.train.report.prior, 1);
  EXPECT_TRUE(noticed(sets, "same-as-b.png is also in the validation set"));
}

TEST_F(Sets, OfTooManyPriorImagesTheFirstAreUsed) {
  write_image("train/a.png", 1);
  for (int i = 10; i < 15; ++i) {
    write_image("prior/" + std::to_string(i) + ".png", i);
  }
  preset_.data.repeats = 2;
  const ImageSets sets = gather({{root_ / "train"}, {root_ / "prior"}, {}});
  EXPECT_EQ(names(sets.train.items), (std::set<std::string>{"a.png", "10.png", "11.png"}));
  EXPECT_TRUE(noticed(sets, "the first 2 of them are used"));
  EXPECT_EQ(testing_support::item_repeats(sets.train, preset_), (std::vector<int>{2, 1, 1}));
}

TEST_F(Sets, RejectedImagesLeaveTheirCount) {
  write_image("train/a.png", 1);
  write_image("train/b.png", 2);
  write_image("prior/c.png", 3);
  ImageSets sets = gather({{root_ / "train"}, {root_ / "prior"}, {}});
  sets.train.reject(2, SkipKind::damaged, Message::verbatim("broken"));
  EXPECT_EQ(sets.train.report.prior, 0);
  EXPECT_EQ(sets.train.report.images, 2);
  EXPECT_EQ(testing_support::item_repeats(sets.train, preset_), (std::vector<int>{1, 1}));
}

class Masks : public Sets {};

TEST_F(Masks, StandBesideTheirImagesAndAreNoImages) {
  write_image("a.png", 1, 40, 20);
  write_image("a-masklabel.png", 255, 80, 40);
  write_image("b.png", 2);
  write_image("c-masklabel.png", 3);
  ScanOptions options;
  options.masks = MaskMode::files;
  const ImageSets sets = gather({{root_}, {}, {}}, options);
  EXPECT_EQ(names(sets.train.items), (std::set<std::string>{"a.png", "b.png"}));
  EXPECT_EQ(sets.train.report.masks, 1);
  EXPECT_FALSE(sets.train.items[0].mask_hash.empty());
  EXPECT_TRUE(sets.train.items[1].mask.empty());
  ASSERT_EQ(sets.train.report.skipped.size(), 1u);
  EXPECT_NE(sets.train.report.skipped[0].reason.text().find("a mask without an image"),
            std::string::npos);
}

TEST_F(Masks, OfAnyImageTypeAndCaseAreNoImages) {
  write_image("a.png", 1);
  write_image("a-masklabel.jpg", 0);
  write_image("b.png", 2);
  write_image("b-MaskLabel.WEBP", 200);
  write_image("c.png", 3);
  write_image("c-masklabel.jpg", 4);
  write_image("c-masklabel.png", 255);
  write_image("c-condlabel.png", 6);
  write_image("d-CondLabel.JPEG", 7);
  ScanOptions options;
  options.masks = MaskMode::files;
  const ImageSets sets = gather({{root_}, {}, {}}, options);
  EXPECT_EQ(names(sets.train.items), (std::set<std::string>{"a.png", "b.png", "c.png"}));
  EXPECT_EQ(sets.train.report.masks, 3);
  EXPECT_EQ(sets.train.items[2].mask.filename(), "c-masklabel.png");
  ASSERT_EQ(sets.train.report.skipped.size(), 3U);
  EXPECT_NE(sets.train.report.text().find("c-masklabel.png is used"), std::string::npos);
  EXPECT_NE(sets.train.report.text().find("condition of an image"), std::string::npos);
  const auto black = std::ranges::count_if(sets.train.report.notices, [](const Message& notice) {
    return notice.text().find("is all black") != std::string::npos;
  });
  EXPECT_EQ(black, 1) << sets.train.report.text();
  EXPECT_NE(sets.train.report.text().find("a-masklabel.jpg is all black"), std::string::npos);
}

TEST_F(Masks, ThatCannotBeUsedCostTheirImageAndNothingElse) {
  write_image("a.png", 1, 40, 20);
  write_image("a-masklabel.png", 255, 40, 40);
  write_image("b.png", 2);
  std::ofstream(root_ / "b-masklabel.png") << "no image";
  write_image("c.png", 3);
  ScanOptions options;
  EXPECT_EQ(gather({{root_}, {}, {}}, options).train.items.size(), 3u) << "masks are off";
  options.masks = MaskMode::files;
  const ImageSets sets = gather({{root_}, {}, {}}, options);
  EXPECT_EQ(names(sets.train.items), std::set<std::string>{"c.png"});
  ASSERT_EQ(sets.train.report.skipped.size(), 2u);
  EXPECT_NE(sets.train.report.skipped[0].reason.text().find("another shape"), std::string::npos);
  EXPECT_NE(sets.train.report.skipped[1].reason.text().find("its mask"), std::string::npos);
}

TEST_F(Masks, ArePlacedAsTheImageAndAveraged) {
  // White on the left half; the image is cropped left and right by its bucket.
  constexpr int kWidth = 96, kHeight = 48;
  ImageItem item;
  item.path = write_image("a.png", 9, kWidth, kHeight);
  std::vector<std::uint8_t> pixels(3 * kWidth * kHeight, 0);
  for (int y = 0; y < kHeight; ++y) {
    std::fill_n(pixels.begin() + 3 * y * kWidth, 3 * kWidth / 2, std::uint8_t{255});
  }
  item.mask = root_ / "a-masklabel.png";
  item.width = kWidth;
  item.height = kHeight;
  write_png(item.mask, pixels, kWidth, kHeight);
  EXPECT_TRUE(check_mask(item).empty());
  const Placement placement = place_image({48, 48}, kWidth, kHeight);
  const HostTensor mask = load_mask(item, MaskMode::files, placement, 8);
  ASSERT_EQ(mask.shape, (Shape{6, 6}));
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      EXPECT_NEAR(mask.data[static_cast<std::size_t>(6 * y + x)], x < 3 ? 1 : 0, 0.05);
    }
  }
  EXPECT_EQ(mask.data[0], 1.0F);
  EXPECT_EQ(mask.data[5], 0.0F);
  const auto weights = mask_weights(mask, 0.25, false);
  const auto mirrored = mask_weights(mask, 0.25, true);
  EXPECT_EQ(weights[0], 1.0F);
  EXPECT_EQ(weights[5], 0.25F);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i], mirrored[i - i % 6 + (5 - i % 6)]);
  }
}

TEST_F(Masks, AlphaIsReadExactly) {
  for (const char* name : {"rgba.png", "rgba.webp", "grey_alpha.png"}) {
    const fs::path path = fs::path(MANTISSA_TEST_DATA) / "golden/images" / name;
    ASSERT_TRUE(probe_image(path).alpha) << name;
    const Image alpha = load_alpha(path);
    const Image black = load_image(path, {.background = {0, 0, 0}});
    const Image grey = load_image(path, {.background = {51, 51, 51}});
    std::set<int> levels;
    for (std::size_t i = 0; i < alpha.pixels.size(); ++i) {
      // Over grey: a·v + 51·(255 - a)/255.
      ASSERT_NEAR(grey.pixels[i] - black.pixels[i], 51.0 * (255 - alpha.pixels[i]) / 255, 1)
          << name << " " << i;
      levels.insert(alpha.pixels[i]);
    }
    EXPECT_GT(levels.size(), 1u) << name;
  }
  write_image("opaque.png", 4);
  EXPECT_FALSE(probe_image(root_ / "opaque.png").alpha);
  for (const std::uint8_t v : load_alpha(root_ / "opaque.png").pixels) {
    ASSERT_EQ(v, 255);
  }
}

}  // namespace
}  // namespace mantissa
