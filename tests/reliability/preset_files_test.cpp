// A preset is untrusted text: whatever paths it contains, only the preset is opened and what the
// program opens with any other one.
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>

#include "engine/io/file.h"
#include "tests/reliability/mutations.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class PresetFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(preset_.parent_path());
    fs::create_directories(secret_.parent_path());
    std::ofstream(secret_) << R"({"mantissa_preset": 1})";
  }

  /// Every file that was opened by `mantissa <arguments>`.
  std::set<std::string> opened(const std::vector<std::string>& arguments) {
    const fs::path list = root_ / "opened";
    fs::remove(list);
    const int status =
        Mantissa(home_)
            .run(arguments, root_ / "log", {}, preloaded({{"MANTISSA_OPENED", list.string()}}))
            .status;
    EXPECT_TRUE(status == 0 || status == 2 || status == 3) << status << read_text(root_ / "log");
    std::set<std::string> paths;
    std::istringstream lines(fs::exists(list) ? read_text(list) : "");
    for (std::string line; std::getline(lines, line);) {
      paths.insert(fs::path(line).lexically_normal().string());
    }
    return paths;
  }

  std::vector<std::vector<std::string>> commands() const {
    const std::string preset = preset_.string();
    return {{"presets", "show", preset},
            {"presets", "import", preset},
            {"presets", "export", preset},
            {"presets", "diff", preset, "sdxl-lora"},
            {"check", preset, "--base", "demo"}};
  }

  void expect_nothing_else_opened(const std::string& text, Report& report) {
    ++report.count;
    std::ofstream(preset_, std::ios::binary) << text;
    const auto command = commands()[static_cast<std::size_t>(report.count) % commands().size()];
    for (const std::string& path : opened(command)) {
      EXPECT_TRUE(usual_.contains(path) || path.starts_with("/proc/") ||
                  path.starts_with(home_.string()))
          << path << " was opened for the preset\n"
          << text;
    }
  }

  void open_hostile_presets(long count, Report& report) {
    for (const char* plain : {R"({"mantissa_preset": 1, "name": "plain"})", "{", ""}) {
      std::ofstream(preset_) << plain;
      for (const auto& command : commands()) {
        usual_.merge(opened(command));
      }
    }
    ASSERT_TRUE(usual_.contains(preset_.string())) << "the shim does not see what is opened";
    std::mt19937 random(test_seed());
    const std::vector<std::string> paths{secret_.string(),
                                         "../outside/secret.json",
                                         "file://" + secret_.string(),
                                         "/etc/passwd",
                                         "~/.bashrc",
                                         "$HOME/.bashrc",
                                         "$(cat /etc/passwd)",
                                         "|cat /etc/passwd",
                                         "https://localhost/x.json"};
    const std::vector<std::string> keys{"name",
                                        "author",
                                        "extends",
                                        "include",
                                        "$ref",
                                        "$schema",
                                        "preset",
                                        "base",
                                        "images",
                                        "output.name",
                                        "output.folder",
                                        "samples.prompts",
                                        "model.family",
                                        "tags",
                                        "continue_from",
                                        "network_module",
                                        "dataset_config",
                                        "train_data_dir",
                                        "optimizer",
                                        "concept_file_name",
                                        "vae",
                                        "base_model_name",
                                        "sample_prompts",
                                        "config_file",
                                        "output_dir"};
    for (long i = 0; i < count; ++i) {
      std::string text = random() % 2 == 0 ? "{\"mantissa_preset\": 1" : "{\"__version\": 8";
      for (int k = 0; k < 6; ++k) {
        const std::string path = paths[random() % paths.size()];
        text += ", \"" + keys[random() % keys.size()] +
                "\": " + (random() % 4 == 0 ? "[\"" + path + "\"]" : "\"" + path + "\"");
      }
      text += "}";
      if (random() % 4 == 0) {
        change_token(text, random);
      }
      expect_nothing_else_opened(text, report);
    }
  }

  const test::TempFolder folder_;
  const fs::path root_ = folder_.path(), home_ = root_ / "home",
                 preset_ = root_ / "presets/hostile.json", secret_ = root_ / "outside/secret.json";
  std::set<std::string> usual_;
};

TEST_F(PresetFilesTest, NoPresetOpensAnotherFile) {
  Report report("10 presets that name files");
  open_hostile_presets(40, report);
}

TEST_F(PresetFilesTest, NightlyNoPresetOpensAnotherFile) {
  Report report("10 presets that name files");
  open_hostile_presets(count_of("MANTISSA_PRESETS", 1000), report);
}

}  // namespace
}  // namespace mantissa
