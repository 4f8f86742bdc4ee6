#include <cstdlib>

#include "engine/preset/schema.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

#ifndef _WIN32

class CompletionTest : public CliTest {
 protected:
  std::string script(const std::string& shell) {
    EXPECT_EQ(run({"completion", shell}), 0) << err();
    return file("script." + shell, out());
  }
  static bool has(const char* program) {
    return std::system((std::string("command -v ") + program + " >/dev/null").c_str()) == 0;
  }
  /// Runs a command; its output is in `result_`.
  int shell(const std::string& command) {
    const int status = std::system(
        ("cd '" + path("") + "' && " + command + " >'" + path("result") + "' 2>&1").c_str());
    std::ifstream stream(folder_ / "result");
    result_.assign(std::istreambuf_iterator<char>(stream), {});
    return status;
  }
  /// What bash offers for the last of the words, as it breaks them.
  std::vector<std::string> bash_offers(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) {
      list += " '" + word + "'";
    }
    const std::string test =
        file("test.bash", "source '" + script("bash") + "'\nCOMP_WORDS=(" + list +
                              ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                              "\n_mantissa\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    EXPECT_EQ(shell("bash '" + test + "'"), 0) << result_;
    std::vector<std::string> offers;
    std::istringstream lines(result_);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) {
        offers.push_back(line);
      }
    }
    return offers;
  }
  std::string result_;
};

TEST_F(CompletionTest, ScriptsAreValid) {
  EXPECT_EQ(shell("bash -n '" + script("bash") + "'"), 0) << result_;
  if (has("zsh")) {
    EXPECT_EQ(shell("zsh -n '" + script("zsh") + "'"), 0) << result_;
  }
  if (has("fish")) {
    EXPECT_EQ(shell("fish -n '" + script("fish") + "'"), 0) << result_;
  }
  EXPECT_EQ(run({"completion", "tcsh"}), 2);
  EXPECT_THAT(one_error_line(), HasSubstr("tcsh is not one of bash, zsh, fish"));
}

TEST_F(CompletionTest, BashOffersWhatFits) {
  if (!has("bash")) {
    GTEST_SKIP() << "needs bash";
  }
  EXPECT_THAT(bash_offers({"mantissa", ""}), Contains("train"));
  EXPECT_EQ(bash_offers({"mantissa", "tr"}), std::vector<std::string>{"train"});
  EXPECT_EQ(bash_offers({"mantissa", "presets", "im"}), std::vector<std::string>{"import"});
  EXPECT_THAT(bash_offers({"mantissa", "train", "sdxl-lora", "--me"}),
              testing::ElementsAre("--memory-budget"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "sdxl-lora-8"}), Contains("sdxl-lora-8gb"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--set", "adapter.ty"}),
              testing::ElementsAre("adapter.type="));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--set", "adapter.type", "=", "lo"}),
              testing::ElementsAre("lora", "loha", "lokr"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--set", "=", "adapter.type", "=", "d"}),
              testing::ElementsAre("dora"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--set", "data.flip", "="}),
              testing::ElementsAre("true", "false"));
  EXPECT_THAT(bash_offers({"mantissa", "convert", "x", "--format", "c"}),
              testing::ElementsAre("comfyui"));
  EXPECT_THAT(bash_offers({"mantissa", "convert", "x", "--format", "=", "c"}),
              testing::ElementsAre("comfyui"));
  EXPECT_THAT(bash_offers({"mantissa", "--log-level", "de"}), testing::ElementsAre("debug"));
  EXPECT_THAT(bash_offers({"mantissa", "--log-level", "debug", "tr"}),
              testing::ElementsAre("train"));
  EXPECT_THAT(bash_offers({"mantissa", "completion", "z"}), testing::ElementsAre("zsh"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--seed", ""}), Not(Contains("train")));
}

TEST_F(CompletionTest, BashOffersFilesAndFolders) {
  if (!has("bash")) {
    GTEST_SKIP() << "needs bash";
  }
  file("base one.safetensors", "");
  std::filesystem::create_directory(folder_ / "basefolder");
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--base", "base"}),
              testing::UnorderedElementsAre("base one.safetensors", "basefolder"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--images", "base"}),
              testing::ElementsAre("basefolder"));
  EXPECT_THAT(bash_offers({"mantissa", "train", "x", "--images", "dem"}),
              testing::ElementsAre("demo"));
}

TEST_F(CompletionTest, EveryScriptHasCommandsPresetsSettingsAndTheirValues) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(shell);
    ASSERT_EQ(run({"completion", shell}), 0);
    for (const char* word : {"quantise", "memory-budget", "sdxl-lora-8gb", "int8_convrot"}) {
      EXPECT_THAT(out(), HasSubstr(word));
    }
    for (const Setting& s : settings()) {
      EXPECT_THAT(out(), HasSubstr(std::string(s.key)));
    }
  }
}

TEST_F(CompletionTest, TheManualIsValidRoff) {
  ASSERT_EQ(run({"help", "--man"}), 0) << err();
  const std::string page = file("mantissa.1", out());
  EXPECT_THAT(out(), HasSubstr(".SH \"NAME\"\nmantissa \\- "));
  for (const Setting& s : settings()) {
    EXPECT_THAT(out(), HasSubstr(".B " + std::string(s.key)));
  }
  if (!has("groff")) {
    GTEST_SKIP() << "needs groff to read the page";
  }
  ASSERT_EQ(shell("groff -man -Kutf8 -Tutf8 -ww -z '" + page + "'"), 0);
  EXPECT_EQ(result_, "");
  ASSERT_EQ(shell("groff -man -Kutf8 -Tascii '" + page + "'"), 0);
  EXPECT_THAT(result_, HasSubstr("adapter.rank"));
}

#endif

}  // namespace
}  // namespace mantissa
