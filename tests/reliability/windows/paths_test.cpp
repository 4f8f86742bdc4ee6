// Folders of any name and length, and where the program's own data is.
#include <cstdlib>

#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class WindowsPaths : public testing::Test {
 protected:
  void SetUp() override {
    test::write_file(root_ / "preset.json", R"({"mantissa_preset": 2, "name": "tiny run",
      "adapter": {"rank": 2}, "data": {"resolution": 64, "batch_size": 1},
      "training": {"steps": 2}, "output": {"name": "tiny"},
      "samples": {"every": 2, "prompts": [{"prompt": "a", "width": 64, "height": 64, "steps": 2}]}})");
  }

  /// Trains with every file of the run below `place`, and reads the adapter back.
  void train_in(const fs::path& place) {
    const fs::path images = place / "images", out = place / "out", log = root_ / "said.txt";
    fs::create_directories(place);
    fs::copy(path_from_utf8(MANTISSA_SOURCE_DIR) / "resources/demo/images", images);
    fs::copy(path_from_utf8(MANTISSA_SOURCE_DIR) / "resources/demo/mini-sdxl.safetensors",
             place / "base.safetensors");
    const Mantissa program(place / "home");
    const auto utf8 = [](const fs::path& path) { return path_to_utf8(path); };
    ASSERT_EQ(
        program
            .run({"train", utf8(root_ / "preset.json"), "--base", utf8(place / "base.safetensors"),
                  "--images", utf8(images), "--out", utf8(out)},
                 log)
            .status,
        0)
        << read_text(log);
    EXPECT_NE(read_text(log).find(utf8(out)), std::string::npos) << "in UTF-8: " << read_text(log);
    EXPECT_TRUE(fs::exists(place / "home/runs.db"));
    EXPECT_TRUE(fs::exists(out / "tiny.safetensors"));
    EXPECT_EQ(program.run({"inspect", utf8(out / "tiny.safetensors")}, log).status, 0)
        << read_text(log);
    EXPECT_EQ(program
                  .run({"train", utf8(root_ / "preset.json"), "--resume", utf8(out), "--set",
                        "training.steps=3"},
                       log)
                  .status,
              0)
        << read_text(log);
  }

  const test::TempFolder folder_of_test_;
  const fs::path root_ = folder_of_test_.path();
};

TEST_F(WindowsPaths, OfAnyScriptAndWithSpaces) {
  train_in(root_ / path_from_utf8("Größe & 100% (1)") /
           path_from_utf8("日本語 тест 👍🏽"));
}

TEST_F(WindowsPaths, LongerThan260Characters) {
  fs::path place = root_;
  std::string name;
  for (int i = 0; i < 40; ++i) {
    name += "本";
  }
  while (place.wstring().size() < 400) {  // 1,200 bytes in UTF-8
    place /= path_from_utf8(name);
  }
  std::error_code error;
  fs::create_directories(place, error);
  if (error) {
    GTEST_SKIP() << "this system has long paths turned off: " << error.message();
  }
  train_in(place);
}

TEST_F(WindowsPaths, WithoutAHomeOfOursDataIsInTheUsersLocalFolder) {
  const fs::path local = root_ / path_from_utf8("Bénédicte/AppData/Local");
  fs::create_directories(local);
  ASSERT_EQ(Mantissa("")
                .run({"train", path_to_utf8(root_ / "preset.json"), "--base", "demo", "--images",
                      "demo", "--set", "training.steps=1"},
                     root_ / "said.txt", {}, {{"LOCALAPPDATA", path_to_utf8(local)}})
                .status,
            0)
      << read_text(root_ / "said.txt");
  EXPECT_TRUE(fs::exists(local / "Mantissa/runs.db"));
  EXPECT_TRUE(fs::exists(local / "Mantissa/cache"));
  EXPECT_EQ(RunReader(local / "Mantissa/runs.db").list_runs().size(), 1u);
}

}  // namespace
}  // namespace mantissa
