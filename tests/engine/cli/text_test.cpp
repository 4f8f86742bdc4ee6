#include "engine/cli/text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

#include "engine/cli/progress_bar.h"

namespace mantissa {
namespace {

TEST(Text, Bytes) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(7'940'000'000), "7.9 GB");
  EXPECT_EQ(bytes_text(999'999), "1.0 MB");
  EXPECT_EQ(bytes_text(123'456'789), "123 MB");
}

TEST(Text, Durations) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(567), "9:27");
  EXPECT_EQ(duration_text(3723), "1:02:03");
  EXPECT_EQ(duration_text(-1), "-");
  EXPECT_EQ(duration_text(std::nan("")), "-");
}

TEST(Text, TableAlignsUtf8) {
  Table table({"a", "b"});
  table.add({"é", "x"});
  table.add({"long", "y"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "a     b\né     x\nlong  y\n");
}

TEST(Text, TablesAndWrappedTextShowNamesEscaped) {
  std::ostringstream out;
  Table table({"a\x1b[31m", "b"});
  table.add({"line\nbreak", "é\xff"});
  table.print(out);
  EXPECT_EQ(out.str(), "a\\x1b[31m      b\nline\\x0abreak  é\\xff\n");
  EXPECT_EQ(wrapped("x\ny", 0, 80), "x\\x0ay\n");
}

TEST(Progress, BarHasTheSameWidthAtEveryShare) {
  for (const bool unicode : {false, true}) {
    for (int i = 0; i <= 1000; ++i) {
      EXPECT_EQ(display_width(progress_bar(i / 1000.0, 17, unicode)), 19u) << i;
    }
  }
  EXPECT_EQ(progress_bar(0.5, 4, false), "[##..]");
  EXPECT_EQ(progress_bar(0.5, 4, true), "▕██  ▏");
  EXPECT_EQ(progress_bar(std::nan(""), 2, false), "[..]");
  EXPECT_EQ(progress_bar(7, 2, false), "[##]");
}

TEST(Progress, EtaIsRightFromTheFirstUnitAndSmooth) {
  EtaEstimate eta;
  EXPECT_LT(eta.remaining(0, 10), 0);
  eta.update(0, 0);
  eta.update(1, 2);
  EXPECT_DOUBLE_EQ(eta.remaining(1, 10), 18);
  double now = 2;
  for (int i = 2; i <= 100; ++i) {
    eta.update(i, now += 2);
  }
  eta.update(101, now += 20);  // one slow unit moves the estimate by a few percent of it
  EXPECT_NEAR(eta.seconds_per_unit(), 2.9, 0.1);
  EXPECT_EQ(rate_text(eta.seconds_per_unit()), "2.9 s/it");
}

}  // namespace
}  // namespace mantissa
