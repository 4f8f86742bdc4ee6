#include "engine/optim/lr_schedule.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/optim/optimizer.h"
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

TEST(Optimizer, TheRatioOfProdigysRatesBecomesDCoef) {  // B10
  Preset p;
  p.optimizer.type = OptimizerType::prodigy;
  p.optimizer.learning_rate = 1;
  p.optimizer.groups = {{Part::te1, {}, 0.5, {}}, {Part::te2, OptimizerType::adamw, 1e-4, {}}};
  EXPECT_EQ(optimizer_settings(p, Part::unet).d_coef, 1);
  EXPECT_EQ(optimizer_settings(p, Part::te1).d_coef, 0.5);
  EXPECT_EQ(optimizer_settings(p, Part::te1).learning_rate, 1);
  EXPECT_EQ(optimizer_settings(p, Part::te2).learning_rate, 1e-4);
  // One Prodigy beside another rule keeps its rate.
  p.optimizer.type = OptimizerType::adamw;
  p.optimizer.learning_rate = 1e-4;
  p.optimizer.groups = {{Part::te1, OptimizerType::prodigy, 1.0, {}}};
  EXPECT_EQ(optimizer_settings(p, Part::te1).d_coef, 1);
  EXPECT_EQ(optimizer_settings(p, Part::te1).learning_rate, 1);
}

TEST(Optimizer, GroupsFallBackToTheMainSettings) {
  Preset p;
  p.optimizer.learning_rate = 5e-4;
  p.optimizer.groups.push_back({Part::te1, std::nullopt, 1e-5, std::nullopt});
  EXPECT_EQ(optimizer_settings(p, Part::unet).learning_rate, 5e-4);
  EXPECT_EQ(optimizer_settings(p, Part::te1).learning_rate, 1e-5);
  EXPECT_EQ(optimizer_settings(p, Part::te1).weight_decay, p.optimizer.weight_decay);
}

}  // namespace
}  // namespace mantissa
