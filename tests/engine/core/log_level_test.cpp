#include "engine/core/log_level.h"

#include <gtest/gtest.h>

namespace mantissa {
namespace {

// The database, JSON and the events between processes hold these numbers.
TEST(LogLevel, NumbersStay) {
  EXPECT_EQ(static_cast<int>(LogLevel::debug), 0);
  EXPECT_EQ(static_cast<int>(LogLevel::info), 1);
  EXPECT_EQ(static_cast<int>(LogLevel::warning), 2);
  EXPECT_EQ(static_cast<int>(LogLevel::error), 3);
}

TEST(LogLevel, IsReadFromItsNumberAndNamed) {
  for (int number = 0; number < 4; ++number) {
    EXPECT_EQ(static_cast<int>(log_level_of(number)), number);
  }
  EXPECT_EQ(log_level_of(-1), LogLevel::debug);
  EXPECT_EQ(log_level_of(9), LogLevel::error);
  EXPECT_EQ(log_level_name(LogLevel::debug), "debug");
  EXPECT_EQ(log_level_name(LogLevel::error), "error");
}

}  // namespace
}  // namespace mantissa
