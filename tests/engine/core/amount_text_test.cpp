#include "engine/core/amount_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace mantissa {
namespace {

TEST(AmountText, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(7'940'000'000), "7.9 GB");
  EXPECT_EQ(bytes_text(999'999), "1.0 MB");
  EXPECT_EQ(bytes_text(123'456'789), "123 MB");
}

TEST(AmountText, Durations) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(567), "9:27");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(duration_text(-1), "-");
  EXPECT_EQ(duration_text(std::nan("")), "-");
}

TEST(AmountText, TimeOfAStep) {
  EXPECT_EQ(step_time_text(0.85), "850 ms");
  EXPECT_EQ(step_time_text(1.3), "1.3 s");
  EXPECT_EQ(step_time_text(14.2), "14 s");
}

TEST(AmountText, IterationRates) {
  EXPECT_EQ(iteration_rate_text(1 / 3.1), "3.1 it/s");
  EXPECT_EQ(iteration_rate_text(1), "1.0 s/it");
  EXPECT_EQ(iteration_rate_text(2.9), "2.9 s/it");
  EXPECT_EQ(iteration_rate_text(0), "");
}

}  // namespace
}  // namespace mantissa
