#include "engine/plan/scaling.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace mantissa {
namespace {

/// A step of 110 ms, 10 of them the update, with 80 MB of gradients.
class ScalingTest : public ::testing::Test {
 protected:
  ScalingTest() {
    step_.ms = 110;
    step_.optimizer.ms = 10;
    step_.gradient_bytes = 80e6;
    preset_.data.batch_size = 4;
  }
  Scaling on(int ranks) const { return scaling(step_, preset_, link_, ranks); }

  Roofline step_;
  Preset preset_;
  LinkSpec link_{"test", "test", 10 / kLinkEfficiency, 1000};  // 10 GB/s, 1 ms
};

TEST_F(ScalingTest, OneRankExchangesNothing) {
  const Scaling one = on(1);
  EXPECT_DOUBLE_EQ(one.ms, 110);
  EXPECT_DOUBLE_EQ(one.exchange_ms, 0);
  EXPECT_DOUBLE_EQ(one.efficiency, 1);
  EXPECT_NEAR(one.images_per_second, 4 / 0.110, 1e-9);
}

// Two exchanges: half of 80 MB to the other rank at 10 GB/s, and 1 ms.
TEST_F(ScalingTest, TwoRanksShareTwoMicroSteps) {
  const Scaling two = on(2);
  EXPECT_EQ(two.micro_steps, 2);
  EXPECT_NEAR(two.exchange_ms, 2 * (4 + 1), 1e-9);
  EXPECT_NEAR(two.ms, 110 + 10, 1e-9);
  EXPECT_NEAR(two.images_per_second, 8 / 0.120, 1e-9);
  EXPECT_NEAR(two.efficiency, (2 * 100 + 10) / (2 * 120.0), 1e-12);
}

TEST_F(ScalingTest, EveryRoundIsExchanged) {
  step_.ms = 6 * 100 + 10;
  preset_.training.gradient_accumulation = 6;
  const Scaling four = on(4);
  EXPECT_EQ(four.micro_steps, 8) << "as many for each rank";
  EXPECT_NEAR(four.exchange_ms, (2 + 1) * (6 + 3), 1e-9);
  EXPECT_NEAR(four.ms, 2 * 100 + 10 + 27, 1e-9);
}

TEST_F(ScalingTest, ASlowerLinkIsLessEfficient) {
  double before = 1;
  for (const std::string_view id : {"nvlink", "pcie5", "pcie4", "100gb", "25gb"}) {
    const auto link = std::ranges::find(link_table(), id, &LinkSpec::id);
    ASSERT_NE(link, link_table().end()) << id;
    const double efficiency = scaling(step_, preset_, *link, 8).efficiency;
    EXPECT_LT(efficiency, before) << id;
    before = efficiency;
  }
}

TEST_F(ScalingTest, RanksDoubleUpToTheMost) {
  EXPECT_EQ(scaling_ranks(2), (std::vector<int>{2}));
  EXPECT_EQ(scaling_ranks(6), (std::vector<int>{2, 4, 6}));
  EXPECT_EQ(scaling_ranks(64), (std::vector<int>{2, 4, 8, 16, 32, 64}));
}

}  // namespace
}  // namespace mantissa
