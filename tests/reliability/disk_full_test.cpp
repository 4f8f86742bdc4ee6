// A run whose folder lies on a disk that fills up: one clear error, and every checkpoint that was
// good before is good after. Needs the right to mount a tmpfs; skipped without it.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "engine/io/file.h"
#include "engine/train/checkpoint.h"
#include "tests/reliability/process.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class DiskFullTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::path(testing::TempDir()) / "mantissa-disk-full";
    fs::remove_all(home_);
    fs::create_directories(home_ / "disk");
    if (mount("none", (home_ / "disk").c_str(), "tmpfs", 0, "size=64k") != 0) {
      GTEST_SKIP() << "this user can't mount a tmpfs";
    }
    mounted_ = true;
    std::ofstream(home_ / "preset.json") << R"({"mantissa_preset": 1, "name": "disk full",
      "adapter": {"rank": 4}, "data": {"resolution": 64},
      "training": {"steps": 6}, "output": {"name": "full", "save_every": 1, "keep": 3}})";
  }
  void TearDown() override {
    if (mounted_) {
      umount((home_ / "disk").c_str());
    }
    fs::remove_all(home_);
  }
  int train(const std::string& out) {
    return Mantissa(home_ / "data")
        .run({"train", (home_ / "preset.json").string(), "--base", "demo", "--images", "demo",
              "--out", out},
             home_ / "log")
        .status;
  }
  fs::path home_;
  bool mounted_ = false;
};

TEST_F(DiskFullTest, ExitsSixNamesTheFolderAndKeepsWhatWasGood) {
  int refused = 0, finished = 0, kept = 0;
  for (int kilobytes = 64; kilobytes <= 16384 && finished == 0; kilobytes = kilobytes * 5 / 4) {
    const std::string size = "size=" + std::to_string(kilobytes) + "k";
    ASSERT_EQ(mount("none", (home_ / "disk").c_str(), "tmpfs", MS_REMOUNT, size.c_str()), 0);
    const fs::path out = home_ / "disk" / "run";
    const int status = train(out.string());
    const std::string log = read_text(home_ / "log");
    if (status == 0) {
      ++finished;
      break;
    }
    ++refused;
    EXPECT_EQ(status, 6) << size << "\n" << log;
    EXPECT_NE(log.find((home_ / "disk").string()), std::string::npos) << size << "\n" << log;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(out / "checkpoints", none)) {
      if (entry.path().filename().string().starts_with("step-")) {
        EXPECT_EQ(verify_checkpoint(entry.path()), "") << size;
        ++kept;
      }
    }
    fs::remove_all(out);
  }
  EXPECT_GT(refused, 5);
  EXPECT_EQ(finished, 1) << "with room enough the run ends well";
  EXPECT_GT(kept, 0) << "some sizes leave room for a first checkpoint";
}

}  // namespace
}  // namespace mantissa
