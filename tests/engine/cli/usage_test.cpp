#include <regex>

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

struct BadUsage {
  std::vector<std::string> args;
  const char* message;
};

TEST_F(UsageTest, BadUsageIsOneClearLineAndStatusTwo) {
  const std::vector<BadUsage> cases{
      {{}, "missing command; expected one of: demo, check, train"},
      {{"trian"}, "trian is not a command; did you mean train?"},
      {{"trian", "p.json", "--base", "demo"}, "trian is not a command; did you mean train?"},
      {{"--log-level", "debug", "chek", "--base", "demo"},
       "chek is not a command; did you mean check?"},
      {{"quantize", "--base", "demo"}, "quantize is not a command; did you mean quantise?"},
      {{"--base", "demo", "train", "p.json"}, "--base follows its command"},
      {{"presets", "shwo", "list"},
       "shwo is not a command; did you mean show? (see `mantissa presets --help`)"},
      {{"runs", "--limit", "3", "list"}, "--limit stands before the command that it belongs to"},
      {{"--verison"}, "--verison is not an option; did you mean --version?"},
      {{"train", "demo", "--bse", "x"}, "--bse is not an option; did you mean --base?"},
      {{"train", "demo", "--bse=x"}, "--bse is not an option; did you mean --base?"},
      {{"train", "demo", "extra"}, "extra is one argument too many"},
      {{"train", "demo", "--base"}, "--base needs a value"},
      {{"train", "demo", "--base", "a", "--base", "b"}, "--base is given more than once"},
      {{"train", "demo", "-base", "a"}, "-base is not an option; did you mean --base?"},
      {{"train", "demo", "--base", "demo", "--trace-steps", "0"},
       "--trace-steps: 0 is not a whole number from 1 to 100000"},
      {{"train", "demo", "--base", "demo", "--trace-steps", "many"},
       "--trace-steps: many is not a whole number from 1 to 100000"},
      {{"train", "--base", "demo"}, "PRESET is missing"},
      {{"train", "demo", "--base", "demo", "--split-cards", "cuda:0,1", "--device", "cpu"},
       "--device excludes --split-cards"},
      {{"train", "demo", "--base", "demo", "--split-cards", "cuda:0,cuda:0"}, "twice"},
      {{"check", "demo", "--base", "demo", "--split-cards", "cards"}, "device 'cards' is unknown"},
      {{"train", "demo"}, "--base is missing"},
      {{"train", "demo", "--log-level", "loud"}, "--log-level: loud is not one of debug, info"},
      {{"train", "demo", "--log-level", "eror"}, "did you mean error?"},
      {{"train", "demo", "--base", "demo", "--on-full-disk", "wiat"}, "did you mean wait?"},
      {{"convert", "a", "--base", "demo", "--out", "b", "--format", "confyui"},
       "did you mean comfyui?"},
      {{"merge", "--base", "demo", "--lora", "a", "--out", "b", "--dtype", "bf61"},
       "did you mean bf16?"},
      {{"bench", "--roofline", "demo", "--base", "demo", "--card", "4091"}, "did you mean 4090?"},
      {{"runs", "list", "--state", "finishd"}, "did you mean finished?"},
      {{"train", "demo", "--base", "demo", "--set", "adapter.rnak=4"},
       "did you mean adapter.rank?"},
      {{"train", "demo", "--base", "demo", "--set", "adapter.type=lroa"}, "did you mean lora?"},
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
       "did you mean euler?"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--width", "100"},
       "--width is 100; it must be a multiple of 8"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--steps", "0"},
       "--steps: 0 is not a whole number from 1 to 1000"},
      {{"sample", "--base", "demo", "--prompt", "x", "--out", "a.png", "--guidance", "nan"},
       "--guidance: nan is not a number from 0 to 100"},
      {{"inspect"}, "FILE"},
      {{"inspect", "a\xff"}, "the argument a\\xff is not UTF-8"},
      {{"devices", "x"}, "x is one argument too many"},
      {{"cache", "prune", "--all", "--unused-days", "3"}, "--all excludes --unused-days"},
      {{"cache", "prune", "--older-form", "--all"}, "--all excludes --older-form"},
      {{"check", "--capabilities", "--catalogue"}, "--catalogue excludes --capabilities"},
      {{"check", "demo", "--catalogue"}, "PRESET excludes --catalogue"},
      {{"check", "--base", "demo", "--capabilities"}, "--base excludes --capabilities"},
      {{"check", "demo", "--base", "demo", "--apply-fixes", "a.json", "--explain"},
       "--explain excludes --apply-fixes"},
      {{"help", "train", "--man"}, "SUBJECT excludes --man"},
      {{"help", "--man", "--reference", "settings"}, "--man excludes --reference"},
      {{"bench", "--roofline", "demo", "--base", "demo", "--card", "4090", "--steps", "3"},
       "--roofline excludes --steps"},
  };
  for (const BadUsage& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.args));
    EXPECT_EQ(run(c.args), 2);
    EXPECT_EQ(out(), "");
    EXPECT_THAT(one_error_line(), HasSubstr(c.message));
    EXPECT_THAT(err(), testing::StartsWith("mantissa: "));
  }
}

TEST_F(UsageTest, ArgumentsThatAreCommandsToo) {
  EXPECT_EQ(run({"train", "demo", "--base", "demo", "--images", "demo"}), 0) << err();
  EXPECT_EQ(run({"--json", "--log-level", "error", "presets", "show", "demo"}), 0) << err();
  EXPECT_EQ(run({"help", "train"}), 0) << err();
  EXPECT_EQ(run({"help", "presets", "list"}), 0) << err();
}

struct Amount {
  const char* text;
  std::uint64_t bytes;  ///< 0: refused
  const char* message = "";
};

TEST_F(UsageTest, AmountsOfMemoryHaveUnits) {
  const std::vector<Amount> cases{
      {"8GB", 8'000'000'000},
      {"8gb", 8'000'000'000},
      {"8G", 8'000'000'000},
      {"7.5 GB", 7'500'000'000},
      {"8GiB", std::uint64_t{8} << 30},
      {"7500MB", 7'500'000'000},
      {"8000000000", 8'000'000'000},
      {"8000000000B", 8'000'000'000},
      {"8", 0, "--memory-budget 8 is 8 bytes; did you mean 8GB?"},
      {"7500", 0, "did you mean 7500MB?"},
      {"1048576", 0, "--memory-budget 1048576 is 1048576 bytes; did you mean 1.04858MB?"},
      {"500000000", 0, "did you mean 500MB?"},
      {"7,5GB", 0, "write the fraction with a point"},
      {"8 GO", 0, "GO is not a unit; expected one of B, kB, MB, GB"},
      {"-8GB", 0, "give an amount such as 8GB"},
      {"0", 0, "give an amount such as 8GB"},
      {"nan", 0, "give an amount such as 8GB"},
      {"inf", 0, "no device has that much memory"},
      {"9999999TB", 0, "no device has that much memory"},
      {"GB", 0, "give an amount such as 8GB"},
  };
  for (const Amount& c : cases) {
    SCOPED_TRACE(c.text);
    const int status = run({"train", "demo", "--base", "demo", "--memory-budget", c.text});
    EXPECT_EQ(status, c.bytes > 0 ? 0 : 2) << err();
    if (c.bytes > 0) {
      EXPECT_EQ(job_.memory_budget, c.bytes);
      EXPECT_EQ(err().find("has no unit") != std::string::npos, std::string(c.text) == "8000000000")
          << err();
    } else {
      EXPECT_THAT(one_error_line(), HasSubstr(c.message));
    }
  }
  EXPECT_EQ(run({"check", "demo", "--base", "demo", "--memory-budget", "8000000000"}), 0);
  EXPECT_EQ(one_error_line(),
            "mantissa: --memory-budget 8000000000 has no unit and is read as 8000000000 bytes, "
            "8.0 GB. Write 8000000000B\n");
  EXPECT_EQ(run({"probe", "demo", "--base", "demo", "--fit", "8"}), 2);
  EXPECT_THAT(err(), HasSubstr("--fit 8 is 8 bytes; did you mean 8GB?"));
  EXPECT_EQ(run({"bench", "--step", "demo", "--base", "demo", "--memory-budget", "12"}), 2);
  EXPECT_THAT(err(), HasSubstr("--memory-budget 12 is 12 bytes; did you mean 12GB?"));
}

struct Weight {
  const char* text;
  const char* file;  ///< empty: refused
  double weight = 1;
  const char* message = "";
};

TEST_F(UsageTest, WeightsFollowTheLastColonOfAnAdapter) {
#ifdef _WIN32
  const std::string odd = "a:b/c";  // no file can have a colon
#else
  const std::string odd = file("a:b", "");
#endif
  const std::vector<Weight> cases{
      {"f.safetensors", "f.safetensors"},
      {"f.safetensors:0.8", "f.safetensors", 0.8},
      {"f.safetensors:-1", "f.safetensors", -1},
      {"f.safetensors:+0.5", "f.safetensors", 0.5},
      {"run:1/lora", "run:1/lora"},
      {"C:\\x.safetensors", "C:\\x.safetensors"},
      {"C:\\x.safetensors:0.5", "C:\\x.safetensors", 0.5},
      {"C:/x.safetensors:0.5", "C:/x.safetensors", 0.5},
      {"C:x.safetensors", "C:x.safetensors"},
      {odd.c_str(), odd.c_str()},
      {"v:2.safetensors", "v:2.safetensors"},
      {"\\\\?\\C:\\loras\\zorb", "\\\\?\\C:\\loras\\zorb"},
      {"\\\\?\\C:\\loras\\zorb:0.5", "\\\\?\\C:\\loras\\zorb", 0.5},
      {"f.safetensors:0,8", "", 0, "did you mean f.safetensors:0.8?"},
      {"f.safetensors:80%", "", 0, "did you mean f.safetensors:0.8?"},
      {"f.safetensors:abc", "", 0, "'abc' is no weight"},
      {"f.safetensors:", "", 0, "'' is no weight"},
      {"C:\\x.safetensors:0,5", "", 0, "did you mean C:\\x.safetensors:0.5?"},
      {"f.safetensors:nan", "", 0, "the weight must be a number from -100 to 100"},
      {"f.safetensors:1000", "", 0, "the weight must be a number from -100 to 100"},
  };
  for (const Weight& c : cases) {
    SCOPED_TRACE(c.text);
    const int status = run(
        {"sample", "--base", "demo", "--prompt", "x", "--lora", c.text, "--out", path("s.png")});
    if (*c.file != '\0') {
      ASSERT_EQ(status, 0) << err();
      ASSERT_EQ(request_.loras.size(), 1U);
      EXPECT_EQ(path_to_utf8(request_.loras[0].file), c.file);
      EXPECT_EQ(request_.loras[0].weight, c.weight);
    } else {
      EXPECT_EQ(status, 2);
      EXPECT_THAT(one_error_line(), HasSubstr(c.message));
    }
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
