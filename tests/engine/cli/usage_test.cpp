#include <regex>

#include "engine/preset/schema.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using UsageTest = CliTest;

TEST_F(UsageTest, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}), 0);
  for (const char* command :
       {"train", "check", "sample", "presets", "runs", "inspect", "devices", "demo"}) {
    EXPECT_THAT(out(), HasSubstr(command));
  }
  EXPECT_EQ(run({"--version"}), 0);
  EXPECT_TRUE(std::regex_match(
      out(), std::regex("mantissa \\d+\\.\\d+\\.\\d+\n"
                        "commit ([0-9a-f]{10}\\+?|unknown)\n"
                        "built by (GCC|Clang) \\d+\\.\\d+\\.\\d+ for (Linux|Windows) x64\n"
                        "SQLite \\d+\\.\\d.*, libvips \\d+\\.\\d.*, PCRE2 \\d+\\.\\d.*, "
                        "utf8proc \\d+\\.\\d.*, zlib \\d+\\.\\d.*\n")))
      << out();
  EXPECT_EQ(run({"presets", "import", "--help"}), 0);
  EXPECT_THAT(out(), HasSubstr("mantissa presets import"));
}

TEST_F(UsageTest, TrainAndCheckHelpListEverySetting) {
  for (const char* command : {"train", "check"}) {
    ASSERT_EQ(run({command, "--help"}), 0);
    for (const Setting& s : settings()) {
      EXPECT_THAT(out(), HasSubstr("\n  " + std::string(s.key) + "\n"));
    }
    EXPECT_THAT(out(), HasSubstr("a whole number from 1 to 1024; default 16"));
  }
}

struct BadUsage {
  std::vector<std::string> args;
  const char* message;
};

TEST_F(UsageTest, BadUsageIsOneClearLineAndStatusTwo) {
  const std::vector<BadUsage> cases{
      {{}, "missing command; expected one of: train, check"},
      {{"trian"}, "trian is not a command; did you mean train?"},
      {{"--verison"}, "--verison is not an option; did you mean --version?"},
      {{"train", "demo", "--bse", "x"}, "--bse is not an option; did you mean --base?"},
      {{"train", "demo", "--bse=x"}, "--bse is not an option; did you mean --base?"},
      {{"train", "demo", "extra"}, "extra is one argument too many"},
      {{"train", "demo", "--base"}, "--base"},
      {{"train", "demo", "--base", "a", "--base", "b"}, "--base"},
      {{"train", "demo", "--base", "demo", "--trace-steps", "0"}, "--trace-steps"},
      {{"train", "demo", "--base", "demo", "--trace-steps", "many"}, "--trace-steps"},
      {{"train", "--base", "demo"}, "PRESET is missing"},
      {{"train", "demo", "--base", "demo", "--split-cards", "cuda:0,1", "--device", "cpu"},
       "--device excludes --split-cards"},
      {{"train", "demo", "--base", "demo", "--split-cards", "cuda:0,cuda:0"}, "twice"},
      {{"check", "demo", "--base", "demo", "--split-cards", "cards"}, "device 'cards' is unknown"},
      {{"train", "demo"}, "--base is missing"},
      {{"train", "demo", "--log-level", "loud"}, "--log-level"},
      {{"train", "dmeo", "--base", "demo"}, "did you mean demo?"},
      {{"presets"}, "missing command; expected one of: list, show, diff"},
      {{"presets", "lst"}, "lst is not a command; did you mean list?"},
      {{"presets", "show"}, "PRESET"},
      {{"presets", "diff", "demo"}, "B"},
      {{"runs"}, "missing command; expected one of: list, show"},
      {{"runs", "list", "--limit", "-3"}, "--limit"},
      {{"sample", "--base", "demo", "--out", "a.png"}, "--prompt"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.jpg"}, "end the name in .png"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--sampler", "eular"},
       "--sampler"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--width", "100"},
       "--width is 100; it must be a multiple of 8"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--steps", "0"}, "--steps"},
      {{"inspect"}, "FILE"},
      {{"inspect", "a\xff"}, "the argument a\\xff is not UTF-8"},
      {{"devices", "x"}, "x is one argument too many"},
  };
  for (const BadUsage& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.args));
    EXPECT_EQ(run(c.args), 2);
    EXPECT_EQ(out(), "");
    EXPECT_THAT(one_error_line(), HasSubstr(c.message));
    EXPECT_THAT(err(), testing::StartsWith("mantissa: "));
  }
}

TEST_F(UsageTest, JsonTellsErrorsAsEventsToo) {
  EXPECT_EQ(run({"trian", "--json"}), 2);
  ASSERT_EQ(events().size(), 1u);
  EXPECT_EQ(events()[0]["event"], "error");
  EXPECT_EQ(events()[0]["exit"], 2);
  EXPECT_THAT(events()[0]["message"].get<std::string>(), HasSubstr("did you mean train?"));
  EXPECT_EQ(run({"--json", "train", "demo"}), 2);
  EXPECT_EQ(events().at(0)["exit"], 2);
}

}  // namespace
}  // namespace mantissa
