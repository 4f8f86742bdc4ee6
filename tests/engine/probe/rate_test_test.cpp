// The learning-rate range test: what a curve says, and the test of the demo.
#include "engine/probe/rate_test.h"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "engine/probe/rate_curve.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

/// Relative changes of the loss by the decimal logarithm of the rate, on starts that vary widely
/// with the timestep, as a diffusion model's do.
std::vector<RatePoint> curve_of(const RateTestOptions& o,
                                const std::function<double(double)>& change) {
  std::vector<RatePoint> points;
  for (std::int64_t i = 0; i < o.steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(o.steps - 1);
    const double rate = o.from * std::pow(o.to / o.from, share);
    const double start = 0.5 + 0.4 * std::sin(5.0 * static_cast<double>(i));
    points.push_back({rate, start * (1 + change(std::log10(rate))), start, 0});
  }
  return points;
}

double valley(double log_rate) {
  const double away = log_rate + 2.5;
  return -0.3 * std::exp(-away * away) + (away > 0 ? 0.3 * away : 0);
}

bool says(const RateTest& test, const char* text) {
  return test.verdict.text().find(text) != std::string::npos;
}

TEST(RateCurve, SuggestsATenthOfTheRateOfTheLowestLoss) {
  const RateTestOptions o;
  const RateTest test = read_rate_curve(curve_of(o, valley), o, false);
  ASSERT_TRUE(test.suggestion.has_value()) << test.verdict;
  EXPECT_GT(*test.lowest, 1e-3);
  EXPECT_LT(*test.lowest, 4e-3);
  EXPECT_NEAR(*test.suggestion, *test.lowest / 10, 0.5e-4) << "one digit";
  EXPECT_LT(*test.steepest, *test.lowest);
  EXPECT_GT(*test.steepest, 1e-4);
  EXPECT_EQ(test.verdict.text().rfind("Suggested learning rate: 0.000", 0), 0U) << test.verdict;
}

TEST(RateCurve, IsSmoothedWithoutLag) {
  const RateTestOptions o;
  const auto step = [](double log_rate) { return log_rate > -4 ? -0.2 : 0.0; };
  std::vector<RatePoint> points = curve_of(o, step);
  for (RatePoint& p : points) {
    p.start_loss = 1;
    p.loss = 1 + step(std::log10(p.rate));
  }
  const RateTest test = read_rate_curve(points, o, false);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (test.points[i].loss < test.points[i - 1].loss) {
      EXPECT_NEAR(test.points[i - 1].smoothed + test.points[i].smoothed, 1.8, 1e-6) << "its middle";
    }
  }
}

TEST(RateCurve, SuggestsNothingWhereNothingFalls) {
  const RateTestOptions o;
  const RateTest flat = read_rate_curve(curve_of(o, [](double) { return 0.0; }), o, false);
  EXPECT_FALSE(flat.suggestion.has_value());
  EXPECT_TRUE(says(flat, "doesn't fall by more than its noise")) << flat.verdict;
  int turn = 0;
  const RateTest noisy =
      read_rate_curve(curve_of(o, [&](double) { return turn++ % 3 == 0 ? -0.1 : 0.05; }), o, false);
  EXPECT_FALSE(noisy.suggestion.has_value()) << noisy.verdict;
  const RateTest rises = read_rate_curve(
      curve_of(o, [](double log_rate) { return log_rate > -3 ? log_rate + 3 : 0; }), o, true);
  EXPECT_FALSE(rises.suggestion.has_value());
  EXPECT_TRUE(says(rises, "diverges at 0.1")) << rises.verdict;
}

TEST(RateCurve, AsksForOtherBoundsWhereTheLowestPointIsNotInside) {
  const RateTestOptions o;
  const RateTest falls =
      read_rate_curve(curve_of(o, [](double log_rate) { return -0.1 * (log_rate + 7); }), o, false);
  EXPECT_FALSE(falls.suggestion.has_value());
  EXPECT_TRUE(says(falls, "higher last rate")) << falls.verdict;
  const RateTestOptions late{.steps = 100, .from = 1e-3, .to = 1e-1};
  const RateTest high = read_rate_curve(curve_of(late, valley), late, false);
  EXPECT_FALSE(high.suggestion.has_value());
  EXPECT_TRUE(says(high, "lower first rate")) << high.verdict;
}

TEST(RateCurve, DivergesAtHalfAgainTheLossOfTheSameDraws) {
  std::vector<RatePoint> points;
  for (int i = 0; i < 10; ++i) {
    points.push_back({1e-4, 0.2, 0.9, 0});
    points.push_back({1e-4, 0.9, 0.3, 0});
  }
  EXPECT_FALSE(has_diverged(points, 100)) << "a few draws alone don't";
  for (int i = 0; i < 5; ++i) {
    points.push_back({1e-2, 0.76, 0.5, 0});
  }
  EXPECT_TRUE(has_diverged(points, 100));
  points.back().loss = 0.6;
  EXPECT_FALSE(has_diverged(points, 100));
  points.back().loss = std::nan("");
  EXPECT_TRUE(has_diverged(points, 100));
}

class RateTestTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.adapter.rank = 8;
  }
  RateTest test() {
    RunControl control;
    RunObserver observer;
    RateTest result = run_rate_test(job_, options_, control, observer);
    EXPECT_TRUE(std::filesystem::is_empty(home_)) << "no run, no cache, no database";
    return result;
  }
  RateTestOptions options_;
};

TEST_F(RateTestTest, FindsARateForTheDemoAndRepeatsItself) {
  const RateTest first = test();
  EXPECT_EQ(first.points.front().loss, first.points.front().start_loss) << "nothing trained yet";
  EXPECT_NEAR(first.points[3].loss, first.points[3].start_loss, 1e-2) << "the same draws";
  ASSERT_TRUE(first.suggestion.has_value()) << first.verdict;
  EXPECT_GE(*first.suggestion, 1e-4) << first.verdict;
  EXPECT_LE(*first.suggestion, 5e-3) << first.verdict;
  const auto fix = nlohmann::json::parse(first.fix_json);
  EXPECT_EQ(fix.size(), 1U);
  EXPECT_EQ(fix.at("optimizer.learning_rate").get<double>(), *first.suggestion);
  const RateTest second = test();
  ASSERT_EQ(second.points.size(), first.points.size());
  for (std::size_t i = 0; i < first.points.size(); ++i) {
    const bool both_nan = std::isnan(first.points[i].loss) && std::isnan(second.points[i].loss);
    EXPECT_TRUE(both_nan || first.points[i].loss == second.points[i].loss) << i;
  }
  EXPECT_EQ(second.fix_json, first.fix_json);
}

TEST_F(RateTestTest, EndsWhereTheLossDiverges) {
  options_ = {.steps = 40, .from = 1e-3, .to = 1e30};
  const RateTest result = test();
  ASSERT_TRUE(result.diverged.has_value()) << result.verdict;
  EXPECT_LT(result.points.size(), 40U);
  EXPECT_EQ(*result.diverged, result.points.back().rate);
}

TEST_F(RateTestTest, RefusesWhatCannotBeTested) {
  job_.preset.optimizer.type = OptimizerType::prodigy_schedule_free;
  try {
    test();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).rfind("prodigyschedulefree finds the learning rate", 0), 0U)
        << e.what();
  }
  job_.preset.optimizer.type = OptimizerType::adamw;
  job_.preset.optimizer.groups = {{.part = kTe1, .type = OptimizerType::prodigy}};
  EXPECT_FALSE(rate_test_problem(job_.preset).empty());
  job_.preset.optimizer.groups.clear();
  EXPECT_TRUE(rate_test_problem(job_.preset).empty());
  std::swap(options_.from, options_.to);
  EXPECT_THROW(test(), Error);
}

TEST(RateTestPreset, RatesOfGroupsChangeInProportion) {
  Preset preset;
  preset.optimizer.learning_rate = 1e-3;
  preset.optimizer.groups = {{.part = kTe1, .learning_rate = 1e-4}, {.part = kTe2}};
  const Preset changed = with_learning_rate(preset, 4e-3);
  EXPECT_EQ(changed.optimizer.learning_rate, 4e-3);
  EXPECT_DOUBLE_EQ(changed.optimizer.groups[0].learning_rate.value(), 4e-4);
  EXPECT_FALSE(changed.optimizer.groups[1].learning_rate.has_value());
}

/// Asks for a stop after the third step.
class Stopper : public RunObserver {
 public:
  explicit Stopper(RunControl& control) : control_(control) {}
  void on_progress(RunPhase phase, std::int64_t done, std::int64_t) override {
    if (phase == RunPhase::probing && done == 3) {
      control_.request_stop(RunControl::Stop::discard);
    }
  }

 private:
  RunControl& control_;
};

TEST_F(RateTestTest, StopsWhenAsked) {
  RunControl control;
  Stopper observer(control);
  EXPECT_THROW(run_rate_test(job_, options_, control, observer), Error);
}

}  // namespace
}  // namespace mantissa
