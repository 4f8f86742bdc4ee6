#include "engine/train/rank_rates.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(RankRates, NamesTheOneThatKeepsTheOthersWaiting) {
  EXPECT_EQ(RankRates::slow_one({1.0, 1.3}), 1);
  EXPECT_EQ(RankRates::slow_one({1.3, 1.0}), 0);
  EXPECT_EQ(RankRates::slow_one({1.0, 1.2}), -1);
  EXPECT_EQ(RankRates::slow_one({1.0, 1.0, 2.0, 1.1}), 2);
  EXPECT_EQ(RankRates::slow_one({1.0, 1.4, 1.4}), -1) << "most are as slow";
  EXPECT_EQ(RankRates::slow_one({0.0, 0.0}), -1) << "nothing was measured";
}

}  // namespace
}  // namespace mantissa
