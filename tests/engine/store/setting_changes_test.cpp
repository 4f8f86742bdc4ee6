// Settings changed in mid-run, read back from the events of the runs database.
#include "engine/store/setting_changes.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(SettingChangesTest, AreReadFromEvents) {
  const SettingChange rate{"optimizer.learning_rate", 0.003, 0.0025, 101};
  const SettingChange steps{"training.steps", 300, 400, 150};
  const std::vector<EventRow> events{
      {1, 0, LogLevel::info, Message::verbatim("training.steps: 1 -> 2 after step 3")},
      {2, 0, LogLevel::info, setting_changed(rate)},
      {3, 0, LogLevel::info, setting_changed(steps)}};
  EXPECT_EQ(events[1].message.text(), "optimizer.learning_rate: 0.003 -> 0.0025 after step 101");
  const auto changes = setting_changes(events);
  ASSERT_EQ(changes.size(), 2u) << "text alone isn't read";
  EXPECT_EQ(changes[0].key, rate.key);
  EXPECT_EQ(changes[0].before, 0.003);
  EXPECT_EQ(changes[0].after, 0.0025);
  EXPECT_EQ(changes[0].step, 101);
}

TEST(SettingChangesTest, StepsThatAResumeTakesAgainHaveNone) {
  const auto event = [](const Message& said) { return EventRow{1, 0, LogLevel::info, said}; };
  const std::vector<EventRow> events{event(setting_changed({"training.steps", 300, 400, 50})),
                                     event(setting_changed({"training.steps", 400, 500, 100})),
                                     event(setting_changed({"training.steps", 400, 500, 80})),
                                     event(resumed_at_step(80, "run/checkpoints/step-00000080"))};
  const auto steps = values_by_step(setting_changes(events), "training.steps", 500);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].value, 400);
  EXPECT_EQ(steps[1].from_step, 51);
  EXPECT_EQ(steps[2].value, 500);
  EXPECT_EQ(steps[2].from_step, 81) << "not 101: those steps are taken again";
}

TEST(SettingChangesTest, ASettingHasItsValuesByStep) {
  const std::vector<SettingChange> changes{{"optimizer.learning_rate", 0.003, 0.0025, 101},
                                           {"training.steps", 300, 400, 150},
                                           {"optimizer.learning_rate", 0.0025, 0.001, 200}};
  const auto rates = values_by_step(changes, "optimizer.learning_rate", 0.001);
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0].value, 0.003);
  EXPECT_EQ(rates[0].from_step, 1);
  EXPECT_EQ(rates[1].value, 0.0025);
  EXPECT_EQ(rates[1].from_step, 102);
  EXPECT_EQ(rates[2].value, 0.001);
  EXPECT_EQ(rates[2].from_step, 201);
  const auto steps = values_by_step(changes, "training.steps", 500);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].value, 500);
  EXPECT_EQ(steps[2].from_step, std::nullopt) << "by a resume";
  const auto ranks = values_by_step(changes, "adapter.rank", 8);
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_EQ(ranks[0].value, 8);
}

}  // namespace
}  // namespace mantissa
