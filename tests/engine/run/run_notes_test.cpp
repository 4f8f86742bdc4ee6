#include "engine/run/run_notes.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(RunNotes, RatesAreALineOfTheLog) {
  const RunRates rates{120, 69.5, {{0, "node-a", 46.25, 0.75, false}, {1, "node-b", 9.5, 1, true}}};
  EXPECT_EQ(rates_note(rates).text(),
            "Step 120: 69.5 images/s together: process 0 on node-a 46.2 images/s, computing 75% of "
            "the time; process 1 on node-b 9.5 images/s, computing 100% of the time, slow");
}

TEST(RunNotes, PausesSayWhy) {
  EXPECT_EQ(pause_note(3).text(), "Paused after step 3; the model stays loaded");
  EXPECT_EQ(disk_wait_note(3, std::chrono::milliseconds(11600), "/disk").text(),
            "After step 3: waited 12 s for disk space in the folder /disk");
}

TEST(RunNotes, CardsHaveTheirNames) {
  EXPECT_EQ(rates_note({20, 4, {{0, "cuda:0", 3, 0.9, false}, {1, "cuda:2", 1, 1, true}}}).text(),
            "Step 20: 4 images/s together: cuda:0 3 images/s, computing 90% of the time; cuda:2 1 "
            "images/s, computing 100% of the time, slow");
}

}  // namespace
}  // namespace mantissa
