// Which training images are told to stand out, on losses that are known.
#include "engine/store/image_influence.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mantissa {
namespace {

using testing::HasSubstr;

const double kNone = std::nan("");

/// An image's losses at two levels.
struct Losses {
  std::vector<double> loss;
  std::vector<double> other{kNone, kNone};
  std::string of{};
};

std::string name_of(std::size_t image) {
  return std::to_string(image) + ".png";
}

ImageLossRecord record(std::int64_t step, const std::vector<Losses>& images) {
  ImageLossRecord row{step, 20, 1};
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (std::size_t level = 0; level < images[i].loss.size(); ++level) {
      row.each.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(level),
                          name_of(i), images[i].loss[level], images[i].other[level], images[i].of});
    }
  }
  return row;
}

/// Ten images whose losses fell by about a half, from levels of their own.
std::vector<Losses> before() {
  std::vector<Losses> images;
  for (int i = 0; i < 10; ++i) {
    images.push_back({{0.4 + 0.02 * i, 0.2 + 0.01 * i}});
  }
  return images;
}
std::vector<Losses> after() {
  std::vector<Losses> images = before();
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (double& loss : images[i].loss) {
      loss *= 0.5 + 0.01 * static_cast<double>(i % 4);
    }
    images[i].other = {1.1 * images[i].loss[0], 1.1 * images[i].loss[1]};
    images[i].of = "x.png";
  }
  return images;
}

std::vector<ImageInfluence> found(const std::vector<Losses>& last) {
  return outstanding(image_influences({record(0, before()), record(100, last)}));
}

TEST(ImageInfluenceTest, IsAnImagesGainOnItself) {
  const auto images = image_influences({record(0, before()), record(100, after())});
  ASSERT_EQ(images.size(), 10u);
  EXPECT_EQ(images[3].image, 3);
  EXPECT_EQ(images[3].name, "3.png");
  EXPECT_NEAR(images[3].before, (0.46 + 0.23) / 2, 1e-12);
  EXPECT_NEAR(images[3].after, 0.53 * (0.46 + 0.23) / 2, 1e-12);
  EXPECT_NEAR(images[3].gain, 0.47, 1e-12);
  EXPECT_NEAR(images[3].gain_error, 0, 1e-12) << "the same at both levels";
  EXPECT_NEAR(images[3].fit, 0.1, 1e-12);
  EXPECT_TRUE(outstanding(images).empty());
}

TEST(ImageInfluenceTest, NamesOneThatWasNeverLearned) {
  std::vector<Losses> last = after();
  last[6].loss = {0.53, 0.255};  // from 0.52 and 0.26
  last[6].other = {kNone, kNone};
  const auto images = found(last);
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].name, "6.png");
  EXPECT_TRUE(images[0].never_learned);
  EXPECT_THAT(images[0].text().text(), HasSubstr("6.png was never learned"));
}

TEST(ImageInfluenceTest, BlamesNoneWhereNoneLearned) {
  EXPECT_TRUE(found(before()).empty());
  // Of a run that made all images worse, one of them by far.
  std::vector<Losses> worse = before();
  for (std::size_t i = 0; i < worse.size(); ++i) {
    for (double& loss : worse[i].loss) {
      loss *= i == 2 ? 1.2 : 1.001 + 0.0005 * static_cast<double>(i % 4);
    }
  }
  EXPECT_TRUE(found(worse).empty());
}

TEST(ImageInfluenceTest, NamesOneThatFitsAnotherCaption) {
  std::vector<Losses> last = after();
  last[2].other = {0.95 * last[2].loss[0], 0.96 * last[2].loss[1]};
  last[2].of = "7.png";
  last[3].other = {0.982 * last[3].loss[0], 0.982 * last[3].loss[1]};  // hardly better
  last[4].other = {0.70 * last[4].loss[0], 1.17 * last[4].loss[1]};    // within its error
  last[5].other = {0.91 * last[5].loss[0], 0.99 * last[5].loss[1]};    // within twice its error
  const auto images = found(last);
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].name, "2.png");
  EXPECT_TRUE(images[0].misfit);
  EXPECT_NEAR(images[0].fit, -0.045, 1e-12);
  EXPECT_THAT(
      images[0].text().text(),
      HasSubstr("2.png may fit the caption of 7.png better than its own: the loss is 4.5%"));
}

TEST(ImageInfluenceTest, NamesOneThatLooksUnlikeTheOthers) {
  std::vector<Losses> first = before(), last = after();
  first[5].loss = {0.5, 4};
  last[5].loss = {0.25, 2};
  last[5].other = {kNone, kNone};
  const auto images = outstanding(image_influences({record(0, first), record(100, last)}));
  ASSERT_EQ(images.size(), 1u);
  EXPECT_TRUE(images[0].high_loss);
  EXPECT_THAT(images[0].text().text(),
              HasSubstr("5.png looks unlike the others as a whole: its loss at the highest noise "
                        "level is 2, theirs about 0.12"));
  first[5].loss = {4, 0.25};  // detail shows at lower levels, and is no fault
  last[5].loss = {2, 0.125};
  EXPECT_TRUE(outstanding(image_influences({record(0, first), record(100, last)})).empty());
}

TEST(ImageInfluenceTest, FewImagesHaveNoMiddle) {
  const std::vector<Losses> first(4, {{0.4, 0.2}});
  std::vector<Losses> last(4, {{0.2, 0.1}});
  last[1].loss = {0.41, 0.2};
  EXPECT_TRUE(outstanding(image_influences({record(0, first), record(100, last)})).empty());
}

TEST(ImageInfluenceTest, ComparesWhatBothRecordsHave) {
  EXPECT_TRUE(image_influences({}).empty());
  EXPECT_TRUE(image_influences({record(0, before())}).empty());
  std::vector<Losses> fewer = before();
  fewer.resize(7);
  EXPECT_EQ(image_influences({record(0, fewer), record(100, after())}).size(), 7u);
  ImageLossRecord broken = record(100, after());
  broken.each[0].loss = broken.each[1].loss = kNone;
  EXPECT_EQ(image_influences({record(0, before()), broken}).size(), 9u);
}

TEST(ImageInfluenceTest, IsWrittenAsJson) {
  std::vector<Losses> last = after();
  last[2].other = {0.9 * last[2].loss[0], 0.9 * last[2].loss[1]};
  const auto json = influence_json({record(0, before()), record(100, last)});
  EXPECT_EQ(json.at("images"), 20);
  EXPECT_EQ(json.at("measured"), 10);
  EXPECT_EQ(json.at("from_step"), 0);
  EXPECT_EQ(json.at("to_step"), 100);
  ASSERT_EQ(json.at("stand_out").size(), 1u);
  EXPECT_EQ(json.at("stand_out")[0].at("name"), "2.png");
  EXPECT_EQ(json.at("stand_out")[0].at("misfit"), true);
  EXPECT_TRUE(influence_json({record(0, before())}).is_null());
}

}  // namespace
}  // namespace mantissa
