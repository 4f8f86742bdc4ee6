#include "engine/diffusion/timesteps.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/diffusion/rectified_flow.h"
#include "engine/diffusion/vp_objective.h"

namespace mantissa {
namespace {

using nlohmann::json;

constexpr TimestepDistribution kEvery[] = {
    TimestepDistribution::uniform, TimestepDistribution::logit_normal,
    TimestepDistribution::sigmoid, TimestepDistribution::mode, TimestepDistribution::shifted};

LevelDistribution asked_for(TimestepDistribution timesteps, std::optional<double> shift = {}) {
  Preset preset;
  preset.training.timesteps = timesteps;
  preset.training.flow_shift = shift;
  return level_distribution(preset);
}

RectifiedFlow flow_with_shift(double shift) {
  FlowConfig config;
  config.shift = shift;
  return RectifiedFlow(config);
}

/// Timesteps of `count` images, ascending.
std::vector<double> drawn(const Objective& objective, const LevelDistribution& distribution,
                          int count, double tokens = 0) {
  std::vector<double> t = draw_timesteps(objective, distribution, tokens, 11, 0, count);
  std::sort(t.begin(), t.end());
  return t;
}

/// Largest distance between the drawn levels' empirical distribution and `cumulative` of a level.
double largest_gap(const std::vector<double>& timesteps, double (*cumulative)(double)) {
  double most = 0;
  const auto n = static_cast<double>(timesteps.size());
  for (std::size_t i = 0; i < timesteps.size(); ++i) {
    const double share = cumulative(timesteps[i] / 1000);
    const auto below = static_cast<double>(i);
    most = std::max({most, std::abs(share - below / n), std::abs(share - (below + 1) / n)});
  }
  return most;
}

double normal_cumulative(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}
double logit(double u) {
  return std::log(u / (1 - u));
}

TEST(LevelDistribution, SharesAreThoseOfDiffusers) {
  std::ifstream file(MANTISSA_TEST_DATA "/golden/flow.json");
  const json all = json::parse(file);
  int compared = 0;
  for (const json& row : all["shares"]) {
    const bool mode = row["kind"] == "mode";
    LevelDistribution d{mode ? LevelDistribution::Kind::mode
                             : LevelDistribution::Kind::logit_normal};
    d.mean = row.value("mean", 0.0);
    d.deviation = row.value("std", 1.0);
    d.scale = row.value("scale", 1.0);
    for (std::size_t i = 0; i < row["u"].size(); ++i, ++compared) {
      const double share =
          mode ? share_of(d, row["v"][i], 0) : share_of(d, 0, row["z"][i].get<double>());
      EXPECT_NEAR(share, row["u"][i].get<double>(), 1e-12);
    }
  }
  EXPECT_EQ(compared, 2 * 28 + 2 * 25);
}

TEST(LevelDistribution, SharesNeverTurnBack) {
  for (const TimestepDistribution timesteps : kEvery) {
    const LevelDistribution d = asked_for(timesteps);
    const double sign =
        d.kind == LevelDistribution::Kind::mode ? -1 : 1;  // that falls, as published
    double before = -1;
    for (int i = 0; i < 1000; ++i) {
      const double share = share_of(d, i / 1000.0, (i - 500) / 50.0);
      ASSERT_GE(share, 0);
      ASSERT_LT(share, 1);
      if (i > 0) {
        ASSERT_GT(sign * share, sign * before) << i;
      }
      before = share;
    }
  }
}

// The draws of runs before levels were doubles: integers from 64 bits.
TEST(Timesteps, UniformPureAndThoseOfEarlierRuns) {
  std::vector<int> hits(10);
  const VpObjective o;
  const LevelDistribution uniform = level_distribution({});
  for (std::uint64_t step = 0; step < 5000; ++step) {
    const std::vector<double> t = draw_timesteps(o, uniform, 0, 7, step, 2);
    for (std::uint64_t b = 0; b < 2; ++b) {
      const RandomKey key = random_key(7, RandomStream::timesteps, step, b);
      ASSERT_EQ(t[b], static_cast<double>(random_below(key, 1000)));
      ++hits[static_cast<std::size_t>(t[b] / 100)];
    }
  }
  for (const int n : hits) {
    EXPECT_NEAR(n, 1000, 150);  // 5σ
  }
  const auto draw = [&](std::uint64_t seed, std::uint64_t step, int batch) {
    return draw_timesteps(o, uniform, 0, seed, step, batch);
  };
  EXPECT_EQ(draw(7, 31, 1)[0], draw(7, 31, 2)[0]);
  EXPECT_NE(draw(7, 31, 8), draw(8, 31, 8));
  EXPECT_NE(draw(7, 31, 8), draw(7, 32, 8));
}

TEST(Timesteps, OfAVpModelAreWholeAndFollowTheDistribution) {
  const VpObjective o;
  constexpr int kDraws = 4000;
  for (const TimestepDistribution timesteps : kEvery) {
    const std::vector<double> t = drawn(o, asked_for(timesteps), kDraws);
    EXPECT_GE(t.front(), 0);
    EXPECT_LE(t.back(), 999);
    for (const double each : t) {
      ASSERT_EQ(each, std::floor(each));
    }
  }
  const auto middle = [&](TimestepDistribution timesteps) {
    const std::vector<double> t = drawn(o, asked_for(timesteps), kDraws);
    return std::count_if(t.begin(), t.end(), [](double x) { return x >= 250 && x < 750; });
  };
  EXPECT_NEAR(middle(TimestepDistribution::uniform), 0.5 * kDraws, 160);         // 5σ
  EXPECT_NEAR(middle(TimestepDistribution::logit_normal), 0.728 * kDraws, 140);  // P(|z| < log 3)
  EXPECT_NEAR(middle(TimestepDistribution::mode), 0.733 * kDraws, 140);
  const LevelDistribution sigmoid = asked_for(TimestepDistribution::sigmoid, 3);
  EXPECT_EQ(drawn(o, sigmoid, 50), drawn(o, asked_for(TimestepDistribution::logit_normal), 50));
}

// Kolmogorov's bound at 4000 draws: 0.031 at one in a thousand.
TEST(Timesteps, OfAFlowFollowTheClosedForms) {
  constexpr int kDraws = 4000;
  constexpr double kBound = 0.031;
  const RectifiedFlow own = flow_with_shift(3);
  const auto unshifted = [](double t) { return t / (3 - 2 * t); };  // what shift 3 moves to t
  const auto levels = [&](TimestepDistribution timesteps, std::optional<double> shift = {}) {
    return drawn(own, asked_for(timesteps, shift), kDraws);
  };
  EXPECT_LT(largest_gap(levels(TimestepDistribution::uniform), +unshifted), kBound);
  EXPECT_LT(largest_gap(levels(TimestepDistribution::uniform, 1), [](double t) { return t; }),
            kBound);
  EXPECT_LT(largest_gap(levels(TimestepDistribution::sigmoid, 5),
                        [](double t) { return normal_cumulative(logit(t)); }),
            kBound);
  // A shift s adds log s to the logit.
  EXPECT_LT(largest_gap(levels(TimestepDistribution::logit_normal),
                        [](double t) { return normal_cumulative(logit(t) - std::log(3.0)); }),
            kBound);
  EXPECT_LT(largest_gap(levels(TimestepDistribution::shifted, 5),
                        [](double t) { return normal_cumulative(logit(t) - std::log(5.0)); }),
            kBound);
}

TEST(Timesteps, OfAFlowFollowTheImagesSize) {
  FlowConfig config;
  config.dynamic = DynamicShift{};
  const RectifiedFlow dynamic(config);
  const LevelDistribution shifted = asked_for(TimestepDistribution::shifted);
  for (const double tokens : {256.0, 4096.0}) {
    EXPECT_EQ(drawn(dynamic, shifted, 20, tokens),
              drawn(flow_with_shift(config.dynamic->shift(tokens)), shifted, 20));
  }
  const LevelDistribution fixed = asked_for(TimestepDistribution::shifted, 3);
  EXPECT_EQ(drawn(dynamic, fixed, 20, 256), drawn(dynamic, fixed, 20, 4096));
}

TEST(LevelDensity, CountsWhatIsDrawn) {
  const RectifiedFlow flow = flow_with_shift(1);
  const auto density = [&](TimestepDistribution timesteps, std::optional<double> shift) {
    return level_density(flow, asked_for(timesteps, shift), 0, 10);
  };
  const std::vector<double> even = density(TimestepDistribution::uniform, {});
  ASSERT_EQ(even.size(), 10u);
  for (const double d : even) {
    EXPECT_NEAR(d, 1, 0.1);
  }
  for (const TimestepDistribution timesteps : kEvery) {
    const std::vector<double> d = density(timesteps, {});
    EXPECT_NEAR(std::accumulate(d.begin(), d.end(), 0.0), 10, 1e-9);
  }
  const std::vector<double> middle = density(TimestepDistribution::logit_normal, {});
  EXPECT_GT(middle[4], 2 * middle[0]);
  EXPECT_NEAR(middle[2], middle[7], 0.2) << "symmetric";
  // A shift of 3 moves levels towards noise: the density at t is that of u = t / (3 - 2t), times
  // du/dt.
  const std::vector<double> shifted = density(TimestepDistribution::uniform, 3);
  EXPECT_NEAR(shifted[0], 3 / ((3 - 0.1) * (3 - 0.1)), 0.06);
  EXPECT_NEAR(shifted[9], 3 / ((3 - 1.9) * (3 - 1.9)), 0.15);
}

}  // namespace
}  // namespace mantissa
