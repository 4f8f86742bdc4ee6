#include "engine/train/paging_watch.h"

#include <gtest/gtest.h>
#include <vector>

namespace mantissa {
namespace {

/// The step at which the pace is lost, from 1; 0: never.
int lost_at(double estimate, const std::vector<double>& seconds) {
  StepPace pace(estimate);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (pace.is_lost(seconds[i])) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

TEST(StepPace, IsLostAfterThreeStepsFarSlowerThanEstimated) {
  EXPECT_EQ(lost_at(0.1, {0.5, 0.5, 0.5}), 3);
  EXPECT_EQ(lost_at(0.1, {0.1, 0.5, 0.5, 0.1, 0.5, 0.5, 0.5}), 7) << "in a row";
  EXPECT_EQ(lost_at(0.1, {0.39, 0.39, 0.39, 0.39}), 0);
}

TEST(StepPace, WithoutAnEstimateIsThatOfTheFastestStep) {
  EXPECT_EQ(lost_at(0, {0.9, 0.1, 0.5, 0.5, 0.5}), 5);
  EXPECT_EQ(lost_at(0, {0.5, 0.5, 0.5, 0.5}), 0);
}

}  // namespace
}  // namespace mantissa
