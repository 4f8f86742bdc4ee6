// Outputs are checked before the work.

#include <system_error>

#include "engine/io/safetensors.h"
#include "tests/engine/cli/cli_fixture.h"

#ifndef _WIN32
#include <unistd.h>
#endif

namespace mantissa {
namespace {

using testing::HasSubstr;

/// A command with an output, the rest of its call being right. "OUT" stands for the path.
struct Output {
  std::vector<std::string> args;
  const char* name;        ///< of a good output
  bool folder = false;     ///< made with its parents
  const char* wrong = "";  ///< a name that the command refuses
};

const std::vector<Output> kOutputs{
    {{"sample", "--base", "demo", "--prompt", "x", "--out", "OUT"}, "o.png", false, "o.jpg"},
    {{"sample", "--base", "demo", "--prompts", "PROMPTS", "--out", "OUT"}, "o", true},
    {{"presets", "export", "demo", "--out", "OUT"}, "o.json"},
    {{"presets", "import", "PRESET", "--out", "OUT"}, "o.json"},
    {{"check", "demo", "--base", "demo", "--apply-fixes", "OUT"}, "o.json"},
    {{"base", "missing.safetensors", "--out", "OUT"}, "o.json", false, "o.txt"},
    {{"new", "--like", "missing", "--out", "OUT"}, "o.safetensors", false, "o.ckpt"},
    {{"new", "--like", "missing", "--out", "OUT"}, "o", true},
    {{"merge", "--base", "demo", "--lora", "missing", "--out", "OUT"},
     "o.safetensors",
     false,
     "o.gguf"},
    {{"merge", "--base", "demo", "--lora", "missing", "--out", "OUT"}, "o", true},
    {{"quantise", "--base", "demo", "--weights", "int8", "--out", "OUT"},
     "o.safetensors",
     false,
     "o.pt"},
    {{"convert", "missing", "--base", "demo", "--out", "OUT"}, "o.safetensors", false, "o.bin"},
    {{"convert", "missing", "--base", "demo", "--format", "peft", "--out", "OUT"},
     "o",
     true,
     "o.safetensors"},
    {{"resize", "missing", "--base", "demo", "--rank", "2", "--out", "OUT"},
     "o.safetensors",
     false,
     "o"},
    {{"extract", "--base", "demo", "--tuned", "demo", "--rank", "2", "--out", "OUT"},
     "o.safetensors",
     false,
     "o"},
    {{"runs", "export", "missing", "--out", "OUT"}, "o.json"},
};

class OutputsTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    prompts_ = file("prompts.txt", "a cat\n");
    preset_ = file("preset.json", R"({"mantissa_preset": 2, "adapter.rank": 8})");
    context_.sample = [this](const SampleRequest&, RunObserver&) { ++rendered_; };
  }
  std::vector<std::string> call(const Output& output, const std::string& out) const {
    std::vector<std::string> args = output.args;
    for (std::string& word : args) {
      word = word == "OUT" ? out : word == "PROMPTS" ? prompts_ : word == "PRESET" ? preset_ : word;
    }
    return args;
  }
  void refuses(const Output& output, const std::string& out, const char* why) {
    SCOPED_TRACE(out);
    EXPECT_EQ(run(call(output, out)), 2);
    EXPECT_THAT(one_error_line(), HasSubstr(why));
    EXPECT_EQ(rendered_, 0);
  }

  std::string prompts_, preset_;
  int rendered_ = 0;
};

TEST_F(OutputsTest, OfEveryCommandAreCheckedFirst) {
  file("taken.png", "x");
  file("taken.json", "x");
  file("taken.safetensors", "x");
  std::filesystem::create_directories(folder_ / "full" / "folder");
  file("full/file", "x");
  for (const Output& output : kOutputs) {
    SCOPED_TRACE(testing::PrintToString(output.args));
    const std::string name = output.name;
    refuses(output, path("taken.json/" + name), output.folder ? "is not a folder" : "can't write");
    if (!output.folder) {
      refuses(output, path("nofolder/" + name), "there is no folder");
      const std::string extension = name.substr(name.rfind('.'));
      refuses(output, path("taken" + extension), "pass --overwrite");
      std::filesystem::create_directories(folder_ / ("empty" + extension));
      refuses(output, path("empty" + extension), "it is a folder");
    } else if (output.args[0] != "sample") {
      refuses(output, path("full"), "pass --overwrite");
      refuses(output, path("full/file"), "pass --overwrite");
    }
    if (*output.wrong != '\0') {
      refuses(output, path(output.wrong), "--out");
    }
    refuses(output, path(std::string(300, 'n') + name), "");
  }
}

#ifndef _WIN32
TEST_F(OutputsTest, FoldersWithoutPermissionAreRefusedFirst) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "everything may be written as root";
  }
  const std::filesystem::path closed = folder_ / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(
      closed, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  for (const Output& output : kOutputs) {
    SCOPED_TRACE(testing::PrintToString(output.args));
    refuses(output, path_to_utf8(closed / output.name), "ermission");
  }
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
}
#endif

TEST_F(OutputsTest, NothingIsLeftByTheCheck) {
  ASSERT_EQ(run({"sample", "--base", "demo", "--prompt", "x", "--out", path("o.png")}), 0) << err();
  EXPECT_EQ(rendered_, 1);
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    entries += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(entries, 2U) << "prompts.txt and preset.json";
}

}  // namespace
}  // namespace mantissa
