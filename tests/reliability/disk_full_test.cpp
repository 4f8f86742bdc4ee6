// A run whose folder is on a disk that fills up: it waits for room and ends with the exact bits of
// an undisturbed run, or continues in another folder, or stops with one clear error; every valid
// checkpoint stays valid. Needs the right to mount a tmpfs; skipped without it.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <thread>

#include "engine/io/file.h"
#include "engine/run/checkpoint.h"
#include "engine/run/first_steps.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_notes.h"
#include "engine/store/reader.h"
#include "engine/train/run_training.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class DiskFullTest : public testing::Test {
 protected:
  void SetUp() override {
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
  }
  int train(const std::string& out) {
    return train(home_ / "data", {"--base", "demo", "--images", "demo", "--out", out});
  }
  int train(const fs::path& data, std::vector<std::string> more) {
    more.insert(more.begin(),
                {"train", (home_ / "preset.json").string(), "--on-full-disk", "stop"});
    return Mantissa(data).run(more, home_ / "log").status;
  }
  void resize(long kilobytes) {
    const std::string size = "size=" + std::to_string(kilobytes) + "k";
    ASSERT_EQ(mount("none", (home_ / "disk").c_str(), "tmpfs", MS_REMOUNT, size.c_str()), 0);
  }
  /// A run that waits on a full disk; its data directory is `data`.
  pid_t start(const fs::path& data, const fs::path& out, const fs::path& log) {
    return Mantissa(data).start({"train", (home_ / "preset.json").string(), "--base", "demo",
                                 "--images", "demo", "--out", out.string()},
                                log);
  }
  static bool says(const fs::path& log, const std::string& text) {
    std::error_code none;
    return fs::exists(log, none) && read_text(log).find(text) != std::string::npos;
  }
  /// Waits until the run reports it or has ended; true if reported.
  static bool wait_until(pid_t child, const fs::path& log, const std::string& text) {
    for (int i = 0; i < 1200; ++i) {
      if (says(log, text)) {
        return true;
      }
      siginfo_t ended{};
      waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == child) {
        return says(log, text);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  static std::string result_of(const fs::path& run) {
    return sha256_file(run / "checkpoints/step-00000006/state.safetensors") + " " +
           sha256_file(run / "full.safetensors");
  }
  /// Weights and optimizer of an undisturbed run.
  std::string undisturbed() {
    const fs::path out = home_ / "undisturbed";
    EXPECT_EQ(train(out.string()), 0) << read_text(home_ / "log");
    return result_of(out);
  }
  const test::TempFolder folder_;  ///< separate: tests run in parallel
  const fs::path home_ = folder_.path();
  bool mounted_ = false;
};

TEST_F(DiskFullTest, ExitsSixNamesTheFolderAndKeepsWhatWasGood) {
  int refused = 0, finished = 0, kept = 0;
  for (int kilobytes = 64; kilobytes <= 16384 && finished == 0; kilobytes = kilobytes * 5 / 4) {
    resize(kilobytes);
    const std::string size = std::to_string(kilobytes) + "k";
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
        EXPECT_EQ(verify_checkpoint(entry.path()), Message()) << size;
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
// time; then there is room and the run ends with the bits of an undisturbed one.
/// What writes one file says that it doesn't fit before it computes anything.
TEST_F(DiskFullTest, CommandsLookForRoomBeforeTheirWork) {
  const std::string out = (home_ / "whole").string(), lora = out + "/full.safetensors";
  ASSERT_EQ(train(out), 0) << read_text(home_ / "log");
  const std::string merged = (home_ / "merged.safetensors").string();
  const auto run = [&](const std::vector<std::string>& arguments) {
    const int status = Mantissa(home_ / "data").run(arguments, home_ / "log").status;
    return std::pair(status, read_text(home_ / "log"));
  };
  ASSERT_EQ(run({"merge", "--base", "demo", "--lora", lora, "--out", merged}).first, 0);
  const std::string disk = (home_ / "disk").string();
  const std::string file = disk + "/x.safetensors";
  const std::vector<std::vector<std::string>> commands{
      {"convert", lora, "--base", "demo", "--format", "diffusers", "--out", file},
      {"convert", lora, "--base", "demo", "--format", "onetrainer", "--out", file},
      {"resize", lora, "--base", "demo", "--rank", "4", "--dtype", "fp32", "--out", file},
      {"extract", "--base", "demo", "--tuned", merged, "--rank", "4", "--out", file},
      {"sample", "--base", "demo", "--prompt", "a", "--steps", "1", "--width", "512", "--height",
       "512", "--out", disk + "/x.png"},
      {"runs", "export", out, "--out", disk + "/x.json"},
  };
  resize(4);
  for (const auto& command : commands) {
    SCOPED_TRACE(command.front());
    const auto [status, log] = run(command);
    EXPECT_EQ(status, 6) << log;
    EXPECT_NE(log.find("it needs"), std::string::npos) << log;
    EXPECT_EQ(log.find("could not"), std::string::npos) << "found while writing: " << log;
    EXPECT_TRUE(fs::is_empty(disk));
  }
}

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
          EXPECT_EQ(verify_checkpoint(entry.path()), Message()) << log;
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

// Sizes that fill up in the log, the cache, a first and a later checkpoint, and the adapter.
TEST_F(DiskFullTest, WaitsForRoomAndEndsWithTheSameBits) {
  const std::string expected = undisturbed();
  int waits = 0;
  std::int64_t latest_wait = 0;
  for (const int kilobytes : {128, 400, 900, 1600, 2600, 4000}) {
    for (const bool data_too : {false, true}) {  // the database and the cache as well
      resize(kilobytes);
      const fs::path out = home_ / "disk/run", data = home_ / (data_too ? "disk/data" : "data"),
                     log = home_ / "log";
      fs::remove(log);
      const pid_t child = start(data, out, log);
      const bool waited = wait_until(child, log, "Paused, nothing is lost");
      const bool begun = fs::exists(out / "log.txt");
      resize(65536);
      const int status = Mantissa::wait(child).status;
      const std::string told = read_text(log);
      const std::string where = std::to_string(kilobytes) + (data_too ? "k, data too" : "k");
      if (!begun) {
        EXPECT_EQ(status, 6) << where << ": no run yet that could wait\n" << told;
      } else {
        EXPECT_EQ(status, 0) << where << "\n" << told;
        EXPECT_EQ(result_of(out), expected) << where;
        EXPECT_NE(told.find((home_ / "disk").string()), std::string::npos) << told;
        RunReader reader(data / "runs.db");
        EXPECT_EQ(reader.metrics(reader.list_runs().at(0).id).size(), 6U) << where;
        EXPECT_EQ(reader.list_runs().at(0).state, "finished") << where;
        const std::vector<PauseRow> pauses = reader.pauses(reader.list_runs().at(0).id);
        for (const PauseRow& pause : pauses) {
          EXPECT_TRUE(pause.disk_full) << where;
          latest_wait = std::max(latest_wait, pause.step);
        }
        EXPECT_EQ(!pauses.empty(), waited) << where << ": every wait is in the database";
      }
      waits += waited ? 1 : 0;
      fs::remove_all(out);
      fs::remove_all(home_ / "disk/data");
    }
  }
  EXPECT_GT(waits, 6);
  EXPECT_GT(latest_wait, 0) << "some had taken steps before";
}

TEST_F(DiskFullTest, InterruptedWhileWaitingItKeepsWhatThereIs) {
  resize(1600);
  const fs::path out = home_ / "disk/run", log = home_ / "log";
  const pid_t child = start(home_ / "data", out, log);
  ASSERT_TRUE(wait_until(child, log, "Paused, nothing is lost")) << read_text(log);
  kill(child, SIGINT);
  EXPECT_EQ(Mantissa::wait(child).status, 6) << read_text(log);
  EXPECT_TRUE(says(log, "Last good checkpoint")) << read_text(log);
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints")) {
    EXPECT_EQ(verify_checkpoint(entry.path()), Message()) << entry.path();
    ++checkpoints;
  }
  EXPECT_GE(checkpoints, 1);
}

/// Answers a full disk with another folder.
class Mover : public RunObserver {
 public:
  Mover(RunControl& control, fs::path folder) : control_(control), folder_(std::move(folder)) {}
  void on_disk_full(const FullDisk& full) override {
    EXPECT_TRUE(full.movable) << full.message;
    EXPECT_GT(full.needed, full.free);
    ++asked;
    control_.request_folder(folder_);
  }
  int asked = 0;

 private:
  RunControl& control_;
  fs::path folder_;
};

TEST_F(DiskFullTest, GoesOnInAnotherFolderWhereResumeFindsIt) {
  const std::string expected = undisturbed();
  resize(1600);
  setenv("MANTISSA_HOME", (home_ / "data").c_str(), 1);
  setenv("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources", 1);
  JobSpec job;
  job.preset = RunFolder::open(home_ / "undisturbed").frozen_job().preset;
  job.base = "demo";
  job.images = {"demo"};
  job.out = home_ / "disk/run";
  RunControl control;
  Mover mover(control, home_ / "elsewhere");
  const RunResult result = run_training(job, control, mover);
  EXPECT_EQ(mover.asked, 1);
  EXPECT_EQ(result.folder.parent_path(), home_ / "elsewhere");
  EXPECT_EQ(result_of(result.folder), expected);
  EXPECT_EQ(RunFolder::open(job.out).path(), result.folder) << "a note leads there";
  EXPECT_EQ(RunReader(runs_database()).run(result.run_id)->out, result.folder.string());
  EXPECT_EQ(result.adapter.parent_path(), result.folder);
  EXPECT_TRUE(fs::exists(trace_file(result.folder))) << "it moves with the run";

  JobSpec more = job;
  more.resume = job.out;
  more.preset.training.steps = 7;
  RunControl again;
  RunObserver quiet;
  const RunResult resumed = run_training(more, again, quiet);
  EXPECT_EQ(resumed.folder, result.folder);
  EXPECT_EQ(resumed.steps, 7);
  EXPECT_EQ(RunReader(runs_database()).metrics(result.run_id).size(), 7U);
}

}  // namespace
}  // namespace mantissa
