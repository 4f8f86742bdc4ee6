// Which training images are measured one by one.
#include "engine/data/measured_images.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace mantissa {
namespace {

std::vector<ImageItem> items(std::size_t count) {
  std::vector<ImageItem> list(count);
  for (std::size_t i = 0; i < count; ++i) {
    list[i].caption = i % 3 == 0 ? "a" : "b";
  }
  return list;
}

TEST(MeasuredImages, AreAsManyAsTheShareOfTheRunAllows) {
  Preset preset;
  preset.data.batch_size = 2;
  preset.training.gradient_accumulation = 2;
  preset.training.image_loss_share = 0.05;
  // 400 steps of 4 images are 4,800 forward passes, of which 5% are 240.
  const std::size_t most = 240 / 24;
  EXPECT_EQ(measured_images(preset, items(3), 400), (std::vector<std::size_t>{0, 1, 2}));
  const auto some = measured_images(preset, items(100), 400);
  ASSERT_EQ(some.size(), most);
  EXPECT_EQ(some.front(), 0u);
  EXPECT_EQ(some[1], 10u) << "evenly";
  EXPECT_EQ(some.back(), 90u);
  EXPECT_TRUE(measured_images(preset, items(3), 5).empty()) << "a short run has no room";
  preset.training.image_loss_share = 0;
  EXPECT_TRUE(measured_images(preset, items(3), 100000).empty());
}

TEST(MeasuredImages, AreComparedWithOtherCaptions) {
  const auto captioned = [](const std::vector<std::string>& captions) {
    std::vector<ImageItem> list(captions.size());
    for (std::size_t i = 0; i < captions.size(); ++i) {
      list[i].caption = captions[i];
    }
    return list;
  };
  std::vector<ImageItem> all = captioned({"b", "a", "b", "a", "c"});
  EXPECT_EQ(other_captions(all, 0), (std::vector<std::size_t>{1, 4})) << "each caption once";
  EXPECT_EQ(other_captions(all, 3), (std::vector<std::size_t>{4, 0}));
  all[4].prior = true;
  EXPECT_EQ(other_captions(all, 0), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(other_captions(captioned({"a", "a"}), 1).empty());
  const auto many = captioned({"0", "1", "2", "3", "4", "5", "6", "7", "8"});
  std::set<std::size_t> tried;
  for (std::size_t image = 0; image < many.size(); ++image) {
    const auto others = other_captions(many, image);
    EXPECT_EQ(others.size(), kOtherCaptions);
    EXPECT_EQ(std::count(others.begin(), others.end(), image), 0);
    tried.insert(others.begin(), others.end());
  }
  EXPECT_EQ(tried.size(), many.size()) << "none is left out by all";
}

TEST(MeasuredImages, AreNotThoseOfPriorPreservationNorOfTheVae) {
  Preset preset;
  std::vector<ImageItem> all = items(4);
  all[3].prior = true;
  EXPECT_EQ(measured_images(preset, all, 100000), (std::vector<std::size_t>{0, 1, 2}));
  preset.training.method = TrainingMethod::full;
  preset.training.parts = {kVae};
  EXPECT_TRUE(measured_images(preset, all, 100000).empty());
}

}  // namespace
}  // namespace mantissa
