// Encodings survive a SIGKILL at any moment of caching: entries on disk are never encoded again,
// missing ones are, and an unreadable image doesn't stop the run.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "engine/io/file.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

constexpr int kGoodImages = 20;

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root_ / "images");
    const fs::path demo = fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images";
    for (const fs::directory_entry& entry : fs::directory_iterator(demo)) {
      fs::copy_file(entry.path(), root_ / "images" / entry.path().filename());
    }
    const std::string whole = read_text(demo / "zorb_01.png");
    std::ofstream(root_ / "images" / "cut.png", std::ios::binary)
        << whole.substr(0, whole.size() / 2);
    std::ofstream(root_ / "images" / "empty.png");
    std::ofstream(root_ / "images" / "words.png") << "this is no image";
    std::ofstream(root_ / "preset.json") << R"({"mantissa_preset": 1, "name": "cache test",
      "adapter": {"rank": 2}, "data": {"resolution": 64, "flip": true},
      "training": {"steps": 1}, "output": {"name": "cached"}})";
  }

  /// One run whose home is root/<home>; -SIGKILL if it was killed.
  int run(const std::string& home, std::map<std::string, std::string> shim = {}) {
    fs::create_directories(root_ / home);
    const fs::path out = root_ / home / "out";
    fs::remove_all(out);
    return Mantissa(root_ / home)
        .run({"train", (root_ / "preset.json").string(), "--base", "demo", "--images",
              (root_ / "images").string(), "--out", out.string()},
             root_ / (home + ".log"), {}, preloaded(std::move(shim)))
        .status;
  }

  struct Entry {
    fs::file_time_type written;
    std::string sha256;
    bool operator==(const Entry&) const = default;
  };
  /// Every finished entry of a home's cache, by file name; a killed write may leave a file named
  /// .tmp-….
  std::map<std::string, Entry> entries(const std::string& home) {
    std::map<std::string, Entry> found;
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(root_ / home)) {
      const bool cached = e.path().string().find("/tensors/") != std::string::npos;
      const std::string name = e.path().filename().string();
      if (cached && name.ends_with(".safetensors") && !name.starts_with(".tmp-")) {
        found[name] = {fs::last_write_time(e.path()), sha256_file(e.path())};
      }
    }
    return found;
  }

  const test::TempFolder folder_;
  const fs::path root_ = folder_.path();
};

TEST_F(CacheTest, KilledAnywhereNothingIsEncodedTwiceAndNothingIsLost) {
  ASSERT_EQ(run("whole"), 0) << read_text(root_ / "whole.log");
  const auto whole = entries("whole");
  // Each image and its mirror image, and the captions.
  ASSERT_GT(whole.size(), 2u * kGoodImages);
  const std::string report = read_text(root_ / "whole" / "out" / "dataset.txt");
  for (const char* bad : {"cut.png", "empty.png", "words.png"}) {
    EXPECT_NE(report.find(bad), std::string::npos) << bad << " is not named:\n" << report;
  }

  const fs::path count = root_ / "calls";
  ASSERT_EQ(
      run("counted", {{"MANTISSA_SHIM_COUNT", count.string()}, {"MANTISSA_SHIM_SCOPE", "tensors"}}),
      0);
  long calls = 0;
  std::ifstream(count) >> calls;
  ASSERT_GT(calls, 3 * static_cast<long>(whole.size())) << "an entry is more than a rename";

  std::mt19937 random(4);
  std::map<std::string, Entry> before;
  int killed = 0;
  for (int i = 0; i < 12; ++i) {
    const long at = 1 + static_cast<long>(random() % static_cast<unsigned long>(calls / 6));
    const int status = run(
        "killed", {{"MANTISSA_KILL_AT", std::to_string(at)}, {"MANTISSA_SHIM_SCOPE", "tensors"}});
    killed += status == -SIGKILL ? 1 : 0;
    const auto now = entries("killed");
    for (const auto& [name, entry] : before) {
      ASSERT_TRUE(now.contains(name)) << "lost after kill " << i;
      ASSERT_EQ(now.at(name), entry) << "encoded again after kill " << i;
    }
    before = now;
  }
  EXPECT_GE(killed, 6);
  ASSERT_EQ(run("killed"), 0) << read_text(root_ / "killed.log");
  const auto after = entries("killed");
  for (const auto& [name, entry] : before) {
    EXPECT_EQ(after.at(name), entry) << "encoded again by the last run";
  }
  ASSERT_EQ(after.size(), whole.size());
  for (const auto& [name, entry] : whole) {
    ASSERT_TRUE(after.contains(name));
    EXPECT_EQ(after.at(name).sha256, entry.sha256) << "not the bytes of an undisturbed run";
  }
}

TEST_F(CacheTest, AChangedCaptionOrImageIsAllThatIsEncodedAnew) {
  ASSERT_EQ(run("home"), 0) << read_text(root_ / "home.log");
  const auto before = entries("home");
  const auto added = [&] {
    ASSERT_EQ(run("home"), 0) << read_text(root_ / "home.log");
    const auto now = entries("home");
    for (const auto& [name, entry] : before) {
      ASSERT_TRUE(now.contains(name));
      EXPECT_EQ(now.at(name), entry) << "an unchanged entry was written again";
    }
  };
  added();
  EXPECT_EQ(entries("home").size(), before.size()) << "nothing had changed";
  std::ofstream(root_ / "images" / "zorb_05.txt") << "a caption that was not there before";
  added();
  EXPECT_EQ(entries("home").size(), before.size() + 1) << "one caption";
  // The same name with other content: the image and its mirror image.
  fs::copy_file(fs::path(MANTISSA_SOURCE_DIR) / "tests/golden/images/exif6.jpg",
                root_ / "images" / "zorb_05.png", fs::copy_options::overwrite_existing);
  added();
  EXPECT_EQ(entries("home").size(), before.size() + 3) << "one image and its mirror image";
}

}  // namespace
}  // namespace mantissa
