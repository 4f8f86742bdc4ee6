// Whether samples are told to repeat training images, on distances that are known.
#include "engine/store/memorising.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mantissa {
namespace {

using testing::HasSubstr;

SampleRow sample(std::int64_t step, int index, double trained, double held_out,
                 const std::string& nearest = "a.png") {
  return {step, index, "x", "x.png", trained, held_out, nearest};
}

TEST(MemorisingTest, IsTheRatioOfTheDistancesOfAStepsSamples) {
  const auto steps = memorising_by_step(
      {sample(200, 0, 0.2, 0.4), sample(100, 0, 0.5, 0.5), sample(200, 1, 0.1, 0.8, "b.png")});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].step, 100);
  EXPECT_EQ(steps[0].samples, 1);
  EXPECT_DOUBLE_EQ(steps[0].ratio, 1);
  EXPECT_DOUBLE_EQ(steps[0].mean, 1);
  EXPECT_EQ(steps[1].samples, 2);
  EXPECT_NEAR(steps[1].ratio, 0.125, 1e-12) << "the smallest";
  EXPECT_NEAR(steps[1].mean, 0.25, 1e-12) << "the root of 0.5 · 0.125";
  EXPECT_EQ(steps[1].nearest, "b.png") << "of the smallest";
}

TEST(MemorisingTest, IsToldWhenASampleIsFarNearerToATrainingImage) {
  const auto of = [](const std::vector<SampleRow>& rows) { return *memorising_at(rows, 100); };
  const Memorising one = of({sample(100, 0, 0.3, 1, "c.png"), sample(100, 1, 1, 1)});
  EXPECT_TRUE(one.sign()) << "one of two is enough: the other prompt asked for something else";
  EXPECT_EQ(one.text().text(),
            "a sign of memorising at step 100: a sample is 0.30 times as far from the training "
            "image c.png as from the nearest validation image");
  const Memorising none = of({sample(100, 0, 0.7, 1), sample(100, 1, 0.9, 1)});
  EXPECT_FALSE(none.sign());
  EXPECT_THAT(none.text().text(), HasSubstr("no sign of memorising"));
  EXPECT_THAT(none.text().text(), HasSubstr("than 0.70 times"));
  EXPECT_FALSE(of({sample(100, 0, 2, 1)}).sign()) << "farther";
  EXPECT_TRUE(of({sample(100, 0, 0, 1)}).sign()) << "a training image itself";
}

TEST(MemorisingTest, IsThatOfTheLastSamplesUpToAStep) {
  const double none = std::nan("");
  const std::vector<SampleRow> rows{sample(0, 0, 1, 1), sample(100, 0, 0.5, 1),
                                    sample(200, 0, none, none)};
  EXPECT_EQ(memorising_at(rows, 150)->step, 100);
  EXPECT_EQ(memorising_at(rows, 300)->step, 100) << "those of 200 were not measured";
  EXPECT_EQ(memorising_at(rows, 99)->step, 0);
  EXPECT_FALSE(memorising_at({sample(100, 0, 1, 1)}, 99).has_value());
  EXPECT_FALSE(memorising_at({sample(100, 0, none, none)}, 100).has_value());
  EXPECT_FALSE(memorising_at({}, 100).has_value());
}

TEST(MemorisingTest, IsWrittenAndReadAsItIs) {
  const Memorising told = *memorising_at({sample(100, 0, 0.3, 1, "c.png")}, 100);
  const auto written = memorising_json(told);
  EXPECT_EQ(written.at("sign"), true);
  const auto read = memorising_of(nlohmann::json::parse(written.dump()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->step, 100);
  EXPECT_EQ(read->samples, 1);
  EXPECT_EQ(read->ratio, told.ratio);
  EXPECT_EQ(read->mean, told.mean);
  EXPECT_EQ(read->nearest, "c.png");
  EXPECT_EQ(read->text().text(), told.text().text());
  EXPECT_FALSE(memorising_of({{"step", 3}}).has_value());
  EXPECT_FALSE(memorising_of(nullptr).has_value());
}

}  // namespace
}  // namespace mantissa
