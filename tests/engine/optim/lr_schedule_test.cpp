#include "engine/optim/lr_schedule.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "engine/core/error.h"
#include "engine/optim/make_optimizer.h"
#include "engine/optim/optimizer.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "kernels/cpu/cpu.h"

namespace mantissa {
namespace {

TEST(LrSchedule, WarmsUpThenHoldsOrDecaysToMinFactor) {
  for (ScheduleType type : {ScheduleType::constant, ScheduleType::linear, ScheduleType::cosine,
                            ScheduleType::cosine_restarts, ScheduleType::rex}) {
    const LrSchedule s({type, 10, 0.1}, 110);
    EXPECT_DOUBLE_EQ(s.factor(0), 0.1);
    EXPECT_DOUBLE_EQ(s.factor(9), 1.0);
    EXPECT_DOUBLE_EQ(s.factor(10), 1.0);
    EXPECT_NEAR(s.factor(110), type == ScheduleType::constant ? 1.0 : 0.1, 1e-12);
    EXPECT_NEAR(s.factor(500), s.factor(110), 1e-12) << "past the end it stays";
  }
}

TEST(LrSchedule, Shapes) {
  EXPECT_DOUBLE_EQ(LrSchedule({ScheduleType::linear, 0, 0}, 100).factor(25), 0.75);
  EXPECT_DOUBLE_EQ(LrSchedule({ScheduleType::cosine, 0, 0}, 100).factor(50), 0.5);
  EXPECT_NEAR(LrSchedule({ScheduleType::rex, 0, 0}, 100).factor(50), 0.5 / 0.75, 1e-15);
  const LrSchedule restarts({ScheduleType::cosine_restarts, 0, 0}, 100);
  EXPECT_DOUBLE_EQ(restarts.factor(25), 1.0) << "a new cycle begins at a quarter";
  EXPECT_LT(restarts.factor(24), 0.01);
}

// Ten thousand drawn schedules: the factor stays within (0, 1] and above the minimum, rises during
// warm-up, and afterwards never rises except at the start of a restart cycle.
TEST(LrSchedule, HoldsItsBoundsForAnySettings) {
  std::mt19937 random(14);
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  for (int i = 0; i < 10'000; ++i) {
    const ScheduleType type = std::vector{ScheduleType::constant, ScheduleType::linear,
                                          ScheduleType::cosine, ScheduleType::cosine_restarts,
                                          ScheduleType::rex}[static_cast<std::size_t>(below(5))];
    const std::int64_t steps = 1 + below(2000), warmup = below(static_cast<unsigned>(steps));
    const double least = static_cast<double>(below(101)) / 100;
    const LrSchedule s({type, static_cast<int>(warmup), least}, steps);
    double before = 0;
    int rises = 0;
    for (std::int64_t step = 0; step < steps + 3; step += 1 + below(3)) {
      const double factor = s.factor(step);
      ASSERT_GE(factor, 0) << i;
      ASSERT_LE(factor, 1) << i;
      if (step < warmup) {
        ASSERT_GE(factor, before) << i;
      } else {
        ASSERT_GE(factor, least - 1e-12) << i;
        rises += step > warmup + 3 && factor > before + 1e-12 ? 1 : 0;
      }
      before = factor;
    }
    const bool restarts = type == ScheduleType::cosine_restarts;
    if (!restarts || steps - warmup >= 40) {  // a cycle of few steps has no shape
      ASSERT_LE(rises, restarts ? 3 : 0) << i;
    }
    ASSERT_EQ(s.factor(steps), s.factor(steps + 1000)) << "past the end it stays";
  }
}

TEST(LrSchedule, TheLeastFactorIsReachedGradually) {
  // It is the end value of the decay, not a clamp.
  EXPECT_DOUBLE_EQ(LrSchedule({ScheduleType::linear, 0, 0.1}, 100).factor(50), 0.55);
  EXPECT_DOUBLE_EQ(LrSchedule({ScheduleType::linear, 0, 0.1}, 100).factor(99), 0.1 + 0.9 * 0.01);
  EXPECT_DOUBLE_EQ(LrSchedule({ScheduleType::cosine, 0, 0.5}, 100).factor(50), 0.75);
}

TEST(LrSchedule, FollowsDiffusersAndTransformers) {
  std::ifstream file(std::string(MANTISSA_TEST_DATA) + "/golden/lr_schedules.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  ASSERT_GE(cases.size(), 14u);
  for (const nlohmann::json& each : cases) {
    Preset preset;
    for (const auto& [key, value] : each.at("schedule").items()) {
      set_setting(preset, "schedule." + key, value);
    }
    const LrSchedule schedule(preset.schedule, each.at("steps"));
    for (const nlohmann::json& pair : each.at("factors")) {
      EXPECT_NEAR(schedule.factor(pair.at(0)), pair.at(1).get<double>(), 1e-14)
          << each.at("name") << " at step " << pair.at(0);
    }
  }
}

TEST(LrSchedule, OlderPresetsKeepTheirFourCycles) {
  const Preset preset =
      parse_preset(R"({"mantissa_preset": 1, "schedule": {"type": "cosine_restarts"}})", "old");
  EXPECT_DOUBLE_EQ(LrSchedule(preset.schedule, 100).factor(25), 1.0);
  EXPECT_DOUBLE_EQ(LrSchedule(preset.schedule, 100).factor(50), 1.0);
  EXPECT_LT(LrSchedule(preset.schedule, 100).factor(49), 0.01);
}

TEST(LrSchedule, RexFallsLaterWithALargerBeta) {
  const LrSchedule late({.type = ScheduleType::rex, .rex_beta = 0.9}, 100);
  EXPECT_NEAR(late.factor(50), 0.5 / 0.55, 1e-15);
  const LrSchedule straight({.type = ScheduleType::rex, .rex_beta = 0}, 100);
  EXPECT_DOUBLE_EQ(straight.factor(25), 0.75);
}

TEST(Optimizer, TheRatioOfProdigysRatesBecomesDCoef) {  // B10
  Preset p;
  p.optimizer.type = OptimizerType::prodigy;
  p.optimizer.learning_rate = 1;
  p.optimizer.groups = {{kTe1, {}, 0.5, {}}, {kTe2, OptimizerType::adamw, 1e-4, {}}};
  EXPECT_EQ(optimizer_settings(p, kDenoiser).d_coef, 1);
  EXPECT_EQ(optimizer_settings(p, kTe1).d_coef, 0.5);
  EXPECT_EQ(optimizer_settings(p, kTe1).learning_rate, 1);
  EXPECT_EQ(optimizer_settings(p, kTe2).learning_rate, 1e-4);
  // One Prodigy beside another rule keeps its rate.
  p.optimizer.type = OptimizerType::adamw;
  p.optimizer.learning_rate = 1e-4;
  p.optimizer.groups = {{kTe1, OptimizerType::prodigy, 1.0, {}}};
  EXPECT_EQ(optimizer_settings(p, kTe1).d_coef, 1);
  EXPECT_EQ(optimizer_settings(p, kTe1).learning_rate, 1);
}

TEST(Optimizer, GroupsFallBackToTheMainSettings) {
  Preset p;
  p.optimizer.learning_rate = 5e-4;
  p.optimizer.groups.push_back({kTe1, std::nullopt, 1e-5, std::nullopt});
  EXPECT_EQ(optimizer_settings(p, kDenoiser).learning_rate, 5e-4);
  EXPECT_EQ(optimizer_settings(p, kTe1).learning_rate, 1e-5);
  EXPECT_EQ(optimizer_settings(p, kTe1).weight_decay, p.optimizer.weight_decay);
}

}  // namespace
}  // namespace mantissa
