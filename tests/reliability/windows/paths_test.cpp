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

/// A folder below `root` whose path has about `length` characters.
fs::path long_folder(const fs::path& root, std::size_t length) {
  std::string name;
  for (int i = 0; i < 20; ++i) {
    name += "本";
  }
  fs::path folder = root;
  while (folder.wstring().size() + 20 < length) {
    folder /= path_from_utf8(name);
  }
  return folder;
}

TEST_F(WindowsPaths, FilesOfMoreThan260Characters) {
  const fs::path place = long_folder(root_, 215);
  const fs::path file = place / "out/checkpoints/.tmp-step-00000002/.tmp-12345-0-state.safetensors";
  ASSERT_GT(file.wstring().size(), 260u);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  test::write_file(file, "x");
  if (error || !fs::exists(file)) {
    GTEST_SKIP() << "this system has long paths turned off";
  }
  fs::remove_all(place / "out");
  train_in(place);
}

// The C library of MinGW lists no folder whose path is longer.
TEST_F(WindowsPaths, FoldersOfMoreThan260CharactersAreRefusedByName) {
  const fs::path place = long_folder(root_, 400), log = root_ / "said.txt";
  std::error_code error;
  fs::create_directories(place, error);
  if (error) {
    GTEST_SKIP() << "this system has long paths turned off: " << error.message();
  }
  EXPECT_EQ(Mantissa(root_ / "home")
                .run({"train", path_to_utf8(root_ / "preset.json"), "--base", "demo", "--images",
                      path_to_utf8(place), "--out", path_to_utf8(root_ / "out")},
                     log)
                .status,
            2);
  EXPECT_NE(read_text(log).find(path_to_utf8(place)), std::string::npos) << read_text(log);
  for (fs::path at = place; at != root_; at = at.parent_path()) {  // remove_all would list it
    fs::remove(at, error);
  }
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
