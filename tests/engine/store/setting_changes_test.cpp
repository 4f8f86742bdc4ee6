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
  ASSERT_EQ(changes_of(changes, "training.steps").size(), 1u);
  EXPECT_EQ(changes_of(changes, "training.steps")[0].after, 400);
  EXPECT_TRUE(changes_of(changes, "adapter.rank").empty());
}

}  // namespace
}  // namespace mantissa
