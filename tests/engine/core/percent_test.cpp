#include "engine/core/percent.h"

#include <gtest/gtest.h>
#include <limits>

namespace mantissa {
namespace {

TEST(Percent, HasSoManyDigits) {
  EXPECT_EQ(percent_text(0.2468), "25%");
  EXPECT_EQ(percent_text(0.0025), "0.25%");
  EXPECT_EQ(percent_text(0.0002), "0.02%");
  EXPECT_EQ(percent_text(0.99), "99%");
  EXPECT_EQ(percent_text(0.2468, 3), "24.7%");
  EXPECT_EQ(percent_text(-0.0123, 3), "-1.23%");
  EXPECT_EQ(percent_text(0), "0%");
  EXPECT_EQ(percent_text(1), "100%");
}

TEST(Percent, HasNoPowersOfTen) {
  EXPECT_EQ(percent_text(1.7), "170%");
  EXPECT_EQ(percent_text(3.9), "390%");
  EXPECT_EQ(percent_text(12.5, 3), "1250%");
  EXPECT_EQ(percent_text(0.9996, 3), "100%");
  EXPECT_EQ(percent_text(9.996, 3), "1000%");
  EXPECT_EQ(percent_text(1.24e-7), "0.000012%");
}

TEST(Percent, KnowsInfinityAndNaN) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(percent_text(kInfinity), "∞%");
  EXPECT_EQ(percent_text(-kInfinity), "−∞%");
  EXPECT_EQ(percent_text(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

}  // namespace
}  // namespace mantissa
