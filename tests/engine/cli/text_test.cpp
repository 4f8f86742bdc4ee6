#include "engine/cli/text.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "engine/cli/output.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/style.h"
#include "engine/cli/terminal_observer.h"

namespace mantissa {
namespace {

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

TEST(Text, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("猫の絵"), 6U);
  EXPECT_EQ(display_width("e\u0301a"), 2U);
  EXPECT_EQ(display_width("…→é"), 3U);
  EXPECT_EQ(wrapped("猫の 絵の中", 0, 8), "猫の\n絵の中\n");
  EXPECT_EQ(wrapped_lines("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
}

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) {
    most = std::max(most, display_width(line));
  }
  return most;
}

TEST(Text, TablesFitTheTerminalAndKeepTheirFirstColumn) {
  Table table({"Key", "Value", "Text"});
  const std::string sentence = "one two three four five six seven eight nine ten";
  table.add({"a.setting.with.a.long.name", sentence, "  " + sentence + " " + sentence});
  std::stringbuf target;
  for (const int columns : {60, 80, 120}) {
    target.str("");
    OutputBuffer buffer(target, {true, false, [columns] { return columns; }});
    std::ostream out(&buffer);
    table.print(out);
    out << std::flush;
    EXPECT_LE(widest(target.str()), static_cast<std::size_t>(columns)) << target.str();
    EXPECT_GT(widest(target.str()), static_cast<std::size_t>(columns) / 2);
    EXPECT_NE(target.str().find("a.setting.with.a.long.name"), std::string::npos);
  }
  std::ostringstream pipe;
  table.print(pipe);
  EXPECT_GT(widest(pipe.str()), 150U) << "a line a row, for other programs";
  pipe.str("");
  table.print_fitted(pipe);
  EXPECT_LE(widest(pipe.str()), 80U);
}

TEST(Text, ColorsAreForTerminals) {
  std::stringbuf target;
  const auto shown = [&](OutputLook look) {
    target.str("");
    OutputBuffer buffer(target, std::move(look));
    std::ostream out(&buffer);
    out << Styled{Style::bad, "bad"} << " text" << std::flush;
    return target.str();
  };
  EXPECT_EQ(shown({true, true}), "\x1b[31mbad\x1b[0m text");
  EXPECT_EQ(shown({true, false}), "bad text");
  EXPECT_EQ(shown({}), "bad text");
  OutputBuffer buffer(target, {true, true});
  std::ostream out(&buffer);
  target.str("");
  drop_colors(out);
  out << Styled{Style::heading, "x"} << std::flush;
  EXPECT_EQ(target.str(), "x");
  std::ostringstream plain;
  plain << Styled{Style::heading, "x"};
  EXPECT_EQ(plain.str(), "x");
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

TEST(Progress, APipeGetsACountOnce) {
  std::ostringstream out;
  double now = 0;
  TerminalObserver observer({.out = &out, .seconds = [&now] { return now; }});
  for (const std::int64_t done : {0, 12, 12, 12}) {
    now += 2;
    observer.on_progress(RunPhase::scanning, done, 12);
  }
  EXPECT_EQ(out.str(), "Scanning 0/12\nScanning 12/12\n");
}

/// One that is over within a second, such as a validation, has the line of its end alone.
TEST(Progress, APipeGetsALineForAShortPhase) {
  std::ostringstream out;
  double now = 0;
  TerminalObserver observer({.out = &out, .seconds = [&now] { return now; }});
  for (int validation = 0; validation < 2; ++validation) {
    observer.on_step({});
    for (const std::int64_t done : {1, 2, 3}) {
      now += 0.1;
      observer.on_progress(RunPhase::validating, done, 3);
    }
  }
  std::string text = out.str();
  for (std::size_t at = 0; (at = text.find("Step ", at)) != std::string::npos;) {
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  EXPECT_EQ(text, "Validating 3/3\nValidating 3/3\n");
  out.str("");
  for (std::int64_t done = 0; done <= 30; ++done) {
    observer.on_progress(RunPhase::caching, done, 30);
    now += 0.1;
  }
  text = out.str();
  EXPECT_EQ(text.find("Caching 0/30\n"), 0U);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << "a line a second: " << text;
  EXPECT_TRUE(text.ends_with("Caching 30/30\n"));
}

TEST(Progress, FollowsALengthThatIsChangedMeanwhile) {
  std::ostringstream out;
  TerminalObserver observer({.out = &out, .total_steps = 3200});
  Preset preset;
  const auto last_line = [&](std::int64_t step) {
    out.str("");
    StepRecord record;
    record.step = step;
    observer.on_step(record);
    return out.str();
  };
  EXPECT_TRUE(last_line(1).starts_with("Step 1/3200 "));
  preset.training.steps = 1400;
  observer.on_settings(preset);
  EXPECT_TRUE(last_line(1400).starts_with("Step 1400/1400 ")) << out.str();
  PlanReport plan;
  plan.length = {100, 10};
  observer.on_plan(plan);
  preset.training.epochs = 20;
  observer.on_settings(preset);
  EXPECT_TRUE(last_line(200).starts_with("Step 200/200 ")) << out.str();
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
}

}  // namespace
}  // namespace mantissa
