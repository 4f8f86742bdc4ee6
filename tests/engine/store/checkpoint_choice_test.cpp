// Which checkpoint is suggested, on losses whose differences are known.
#include "engine/store/checkpoint_choice.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace mantissa {
namespace {

using testing::HasSubstr;

/// A validation whose images have these losses.
ValidationRow validation(std::int64_t step, const std::vector<double>& losses) {
  ValidationRow row{step, 0, static_cast<std::int64_t>(losses.size()), 1};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    row.loss += losses[i] / static_cast<double>(losses.size());
    row.each.push_back({static_cast<std::int64_t>(i), std::to_string(i) + ".png", losses[i]});
  }
  return row;
}

std::vector<CheckpointRow> checkpoints(const std::vector<std::int64_t>& steps) {
  std::vector<CheckpointRow> rows;
  for (const std::int64_t step : steps) {
    rows.push_back({step, "x", 1});
  }
  return rows;
}

TEST(PairedDifferenceTest, IsOfTheImagesThatBothHave) {
  const ValidationRow a = validation(100, {1, 2, 3, 4}), b = validation(0, {1.5, 2.5, 3.1, 4.3});
  const PairedDifference change = paired_difference(a, b);
  EXPECT_EQ(change.images, 4);
  EXPECT_NEAR(change.mean, -0.35, 1e-12);
  // Differences -0.5, -0.5, -0.1, -0.3: a standard deviation of 0.19148…, over the root of 4.
  EXPECT_NEAR(change.error, 0.1914854215512676 / 2, 1e-12);
  ValidationRow fewer = b;
  fewer.each.erase(fewer.each.begin());
  fewer.each[0].loss = std::nan("");
  fewer.each[1].name = "another.png";
  const PairedDifference one = paired_difference(a, fewer);
  EXPECT_EQ(one.images, 1);
  EXPECT_NEAR(one.mean, -0.3, 1e-12);
  EXPECT_TRUE(std::isnan(one.error)) << "one difference has none";
  EXPECT_EQ(paired_difference(a, {}).images, 0);
  EXPECT_TRUE(std::isnan(paired_difference(a, {}).mean));
}

TEST(PairedDifferenceTest, PerHundredSteps) {
  const PairedDifference change =
      change_per_100_steps(validation(50, {1, 1}), validation(250, {0.5, 0.7}));
  EXPECT_NEAR(change.mean, -0.2, 1e-12);
  EXPECT_NEAR(change.error, 0.05, 1e-12);
}

// Losses of single images differ by far more than the checkpoints do: only pairs can tell.
TEST(CheckpointChoiceTest, IsTheEarliestThatIsWithinTheErrorOfTheLowest) {
  const std::vector<ValidationRow> rows{
      validation(0, {1.0, 5.0, 9.0, 13.0}), validation(100, {0.8, 4.8, 8.8, 12.81}),
      validation(200, {0.5, 4.52, 8.5, 12.5}), validation(300, {0.51, 4.5, 8.51, 12.48})};
  const auto choice = choose_checkpoint(rows, checkpoints({100, 200, 300}));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->lowest, 300);
  EXPECT_EQ(choice->step, 200) << "0.005 ± 0.0087 above the lowest";
  EXPECT_NEAR(choice->above_lowest.mean, 0.005, 1e-9);
  EXPECT_TRUE(choice->better_than_untrained());
  EXPECT_THAT(choice->text().text(), HasSubstr("step 200 is suggested"));
  EXPECT_THAT(choice->text().text(), HasSubstr("step 300 is lower by only 0.005 ± "));
  // One that was deleted, or never validated, isn't suggested.
  const auto without = choose_checkpoint(rows, checkpoints({100, 250, 300}));
  EXPECT_EQ(without->step, 300);
  EXPECT_EQ(without->unvalidated, 1);
  EXPECT_THAT(without->text().text(), HasSubstr("the lowest validation loss of all"));
}

TEST(CheckpointChoiceTest, SaysWhenNoneIsBetterThanTheUntrainedModel) {
  const std::vector<ValidationRow> rows{validation(0, {1.0, 2.0, 3.0}),
                                        validation(100, {1.2, 1.9, 2.8})};
  const auto choice = choose_checkpoint(rows, checkpoints({100}));
  ASSERT_TRUE(choice);
  EXPECT_FALSE(choice->better_than_untrained());
  EXPECT_THAT(choice->text().text(), HasSubstr("no checkpoint is better than the untrained model"));
  EXPECT_THAT(choice->text().text(), HasSubstr("3 validation images"));
}

TEST(CheckpointChoiceTest, WithoutLossesOfImagesIsTheLowest) {
  std::vector<ValidationRow> rows{
      {0, 0.5, 3, 1}, {100, 0.4, 3, 1}, {200, 0.3, 3, 1}, {300, std::nan(""), 3, 1}};
  const auto choice = choose_checkpoint(rows, checkpoints({100, 200, 300}));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->step, 200);
  EXPECT_TRUE(choice->better_than_untrained()) << "nothing is known of that";
  EXPECT_EQ(choice->unvalidated, 1);
  EXPECT_FALSE(choose_checkpoint(rows, {}));
  EXPECT_FALSE(choose_checkpoint({}, checkpoints({100})));
}

TEST(CheckpointChoiceTest, IsWrittenAndReadAsItIs) {
  const auto choice = choose_checkpoint(
      {validation(0, {5, 6, 7}), validation(100, {1, 2, 3}), validation(200, {1.1, 1.9, 2.9})},
      checkpoints({100, 200}));
  const auto read = checkpoint_choice_of(checkpoint_choice_json(*choice));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->text().text(), choice->text().text());
  EXPECT_EQ(read->step, 100);
  EXPECT_EQ(read->lowest, 200);
  EXPECT_TRUE(read->better_than_untrained());
  EXPECT_EQ(read->above_lowest.error, choice->above_lowest.error);
  EXPECT_EQ(read->above_untrained.mean, choice->above_untrained.mean);
}

TEST(CheckpointChoiceTest, WithoutImagesIsReadAsWell) {
  const auto choice = choose_checkpoint({{100, 1, 3, 1}, {200, 2, 3, 1}}, checkpoints({100, 200}));
  const auto written = checkpoint_choice_json(*choice);
  const auto read = checkpoint_choice_of(nlohmann::json::parse(written.dump()));
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(std::isnan(read->above_lowest.mean));
  EXPECT_TRUE(read->better_than_untrained());
  EXPECT_FALSE(checkpoint_choice_of({{"step", 3}}).has_value());
  EXPECT_FALSE(checkpoint_choice_of(nullptr).has_value());
  EXPECT_FALSE(checkpoint_choice_of("step 3").has_value());
}

}  // namespace
}  // namespace mantissa
