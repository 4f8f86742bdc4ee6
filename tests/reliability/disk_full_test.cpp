// A run whose folder lies on a disk that fills up: one clear error, and every checkpoint that was
// good before is good after. Needs the right to mount a tmpfs; skipped without it.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "engine/io/file.h"
#include "engine/train/checkpoint.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"

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
    return train(home_ / "data", {"--base", "demo", "--images", "demo", "--out", out});
  }
  int train(const fs::path& data, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", (home_ / "preset.json").string()});
    return Mantissa(data).run(more, home_ / "log").status;
  }
  void resize(long kilobytes) {
    const std::string size = "size=" + std::to_string(kilobytes) + "k";
    ASSERT_EQ(mount("none", (home_ / "disk").c_str(), "tmpfs", MS_REMOUNT, size.c_str()), 0);
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

// Everything on that disk: cache, database, log, checkpoints and samples, with 64 KiB more each
// time; then there is room and the run goes on to the bits of an undisturbed one.
TEST_F(DiskFullTest, NightlyEverySixtyFourKilobytesForAllThatARunWrites) {
  Report report("5 disk full");
  std::ofstream(home_ / "preset.json") << R"({"mantissa_preset": 1, "name": "disk full",
    "adapter": {"rank": 16}, "data": {"resolution": 64},
    "training": {"steps": 6},
    "samples": {"every": 2, "prompts": [{"prompt": "a zorb", "steps": 1}]},
    "output": {"name": "full", "save_every": 1, "keep": 3}})";
  const auto state = [](const fs::path& run) {
    return sha256_file(run / "checkpoints/step-00000006/state.safetensors");
  };
  ASSERT_EQ(train((home_ / "whole").string()), 0) << read_text(home_ / "log");
  const std::string wanted = state(home_ / "whole");
  const fs::path out = home_ / "disk/run", data = home_ / "disk/data";
  const std::vector<std::string> begin{"--base", "demo", "--images", "demo", "--out", out.string()};
  const long step = count_of("MANTISSA_DISK_STEP_KB", 64);
  int status = 6;
  for (long kilobytes = 64; status != 0 && kilobytes <= 65536 && !HasFatalFailure();
       kilobytes += step) {
    SCOPED_TRACE(std::to_string(kilobytes) + " KiB");
    resize(kilobytes);
    status = train(data, begin);
    const std::string log = read_text(home_ / "log");
    ++report.count;
    if (status != 0) {
      EXPECT_EQ(status, 6) << log;
      EXPECT_NE(log.find((home_ / "disk").string()), std::string::npos) << log;
      std::error_code none;
      for (const auto& entry : fs::directory_iterator(out / "checkpoints", none)) {
        if (entry.path().filename().string().starts_with("step-")) {
          EXPECT_EQ(verify_checkpoint(entry.path()), "") << log;
        }
      }
      resize(262144);
      const Stopwatch watch;
      const bool begun = fs::exists(out / "job.json");
      ASSERT_EQ(train(data, begun ? std::vector<std::string>{"--resume", out.string()} : begin), 0)
          << read_text(home_ / "log");
      report.recovered(watch.seconds());
    }
    EXPECT_EQ(state(out), wanted);
    for (const auto& entry : fs::directory_iterator(home_ / "disk")) {
      fs::remove_all(entry.path());
    }
  }
  EXPECT_EQ(status, 0) << "with room enough the run ends well";
}

}  // namespace
}  // namespace mantissa
