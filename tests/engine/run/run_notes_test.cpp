#include "engine/run/run_notes.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(RunNotes, RatesAreReadBackFromTheLog) {
  const RunRates rates{120, 69.5, {{0, "node-a", 46.25, 0.75, false}, {1, "node-b", 9.5, 1, true}}};
  const Message note = rates_note(rates);
  EXPECT_EQ(note.text(),
            "Step 120: 69.5 images/s together: process 0 on node-a 46.2 images/s, computing 75% of "
            "the time; process 1 on node-b 9.5 images/s, computing 100% of the time, slow");
  const auto read = rates_of(note);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->step, 120);
  EXPECT_EQ(read->images_per_second, 69.5);
  ASSERT_EQ(read->processes.size(), 2U);
  EXPECT_EQ(read->processes[0].host, "node-a");
  EXPECT_EQ(read->processes[0].images_per_second, 46.2);
  EXPECT_EQ(read->processes[0].share, 0.75);
  EXPECT_FALSE(read->processes[0].slow);
  EXPECT_EQ(read->processes[1].process, 1);
  EXPECT_TRUE(read->processes[1].slow);
}

TEST(RunNotes, OtherLinesHaveNoRates) {
  EXPECT_FALSE(rates_of(pause_note(3)).has_value());
  EXPECT_FALSE(rates_of(Message::verbatim(rates_note({1, 2, {}}).text())).has_value());
  EXPECT_TRUE(rates_of(rates_note({1, 2, {}})).has_value());
  EXPECT_EQ(paused_step(pause_note(3)), 3);
  EXPECT_FALSE(paused_step(rates_note({1, 2, {}})).has_value());
}

}  // namespace
}  // namespace mantissa
