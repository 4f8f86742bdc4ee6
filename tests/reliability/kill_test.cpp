// SIGKILL anywhere, also inside a save and inside the recovery: a resumed run ends with the very
// bits of an undisturbed one. Points are chosen by the index of the file-system call.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "engine/io/file.h"
#include "engine/store/reader.h"
#include "tests/reliability/process.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class KillTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ =
        fs::path(testing::TempDir()) /
        (std::string("mantissa-") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(home_);
    fs::create_directories(home_);
    std::ofstream(home_ / "preset.json") << R"({"mantissa_preset": 1, "name": "kill test",
      "adapter": {"rank": 2, "dropout": 0.1},
      "data": {"resolution": 64, "batch_size": 1, "caption_dropout": 0.2},
      "training": {"steps": 9, "ema": 0.9},
      "output": {"name": "killed", "save_every": 2}})";
    run("reference", false, {});  // fills the cache, so that the runs below are alike
    ASSERT_EQ(run("straight", false, {}), 0);
    reference_ = fingerprint("straight");
  }
  void TearDown() override { fs::remove_all(home_); }

  /// Runs `mantissa train` into home/<out>; -SIGKILL when it was killed.
  int run(const std::string& out, bool resume,
          const std::map<std::string, std::string>& environment) {
    std::map<std::string, std::string> shim = environment;
    if (!shim.empty()) {
      shim["LD_PRELOAD"] = MANTISSA_BINARY_DIR "/lib/libkill_shim.so";
      if (kAddressSanitizer) {  // which refuses to start behind another library
        const char* options = std::getenv("ASAN_OPTIONS");
        shim["ASAN_OPTIONS"] =
            std::string(options == nullptr ? "" : options) + ":verify_asan_link_order=0";
      }
    }
    const std::string preset = (home_ / "preset.json").string(), folder = (home_ / out).string();
    const std::vector<std::string> arguments =
        resume ? std::vector<std::string>{"train", preset, "--resume", folder}
               : std::vector<std::string>{"train",    preset, "--base", "demo",
                                          "--images", "demo", "--out",  folder};
    return Mantissa(home_).run(arguments, home_ / (out + ".log"), {}, shim).status;
  }

  long calls(const std::string& out, const std::string& scope) {
    const fs::path file = home_ / (out + ".count");
    EXPECT_EQ(
        run(out, false, {{"MANTISSA_KILL_COUNT", file.string()}, {"MANTISSA_KILL_SCOPE", scope}}),
        0);
    long n = 0;
    std::ifstream(file) >> n;
    return n;
  }

  /// Weights, optimizer, EMA, and the loss of every step.
  std::string fingerprint(const std::string& out) {
    const fs::path folder = home_ / out;
    std::string text = sha256_file(folder / "checkpoints/step-00000009/state.safetensors") + " " +
                       sha256_file(folder / "killed.safetensors");
    const std::string job = read_text(folder / "job.json");
    const std::size_t at = job.find("\"id\": \"") + 7;
    RunReader reader(home_ / "runs.db");
    for (const StepRow& row : reader.metrics(job.substr(at, job.find('"', at) - at))) {
      char line[96];
      std::snprintf(line, sizeof line, "\n%lld %a %a", static_cast<long long>(row.step), row.loss,
                    row.grad_norm);
      text += line;
    }
    return text;
  }

  /// Kills a run at call `at` of `scope`, and the first `again` recoveries too; then lets it end.
  void kill_and_recover(const std::string& out, const std::string& scope, long at, int again = 0) {
    const std::map<std::string, std::string> shim{{"MANTISSA_KILL_AT", std::to_string(at)},
                                                  {"MANTISSA_KILL_SCOPE", scope}};
    ASSERT_EQ(run(out, false, shim), -SIGKILL) << "call " << at << " of '" << scope << "'";
    for (int i = 0; i < again && fs::exists(home_ / out / "job.json"); ++i) {
      run(out, true, shim);
    }
    const bool begun = fs::exists(home_ / out / "job.json");
    if (!begun) {
      fs::remove_all(home_ / out);  // killed before there was a run: nothing to resume
    }
    ASSERT_EQ(run(out, begun, {}), 0) << read_text(home_ / (out + ".log"));
    EXPECT_EQ(fingerprint(out), reference_) << "call " << at << " of '" << scope << "'";
    fs::remove_all(home_ / out);
  }

  fs::path home_;
  std::string reference_;
};

TEST_F(KillTest, TwentyPointsOfARunFiveOfThemInsideASave) {
  std::mt19937 random(20);
  const long all = calls("count-all", ""), saving = calls("count-saves", ".tmp-step-");
  ASSERT_GT(all, 50);
  ASSERT_GT(saving, 20);
  for (int i = 0; i < 15; ++i) {
    kill_and_recover("all" + std::to_string(i), "",
                     1 + static_cast<long>(random() % static_cast<unsigned long>(all)));
  }
  for (int i = 0; i < 5; ++i) {
    kill_and_recover("save" + std::to_string(i), ".tmp-step-",
                     1 + static_cast<long>(random() % static_cast<unsigned long>(saving)));
  }
}

TEST_F(KillTest, KilledAgainDuringTheRecovery) {
  const long saving = calls("count-saves", "checkpoints");
  for (int i = 0; i < 3; ++i) {
    kill_and_recover("twice" + std::to_string(i), "checkpoints", 3 + saving * i / 4, 1);
  }
}

TEST_F(KillTest, InterruptSavesAndExits130) {
  const fs::path folder = home_ / "interrupted";
  const pid_t child = Mantissa(home_).start(
      {"train", (home_ / "preset.json").string(), "--base", "demo", "--images", "demo", "--out",
       folder.string(), "--set", "training.steps=100000", "--set", "output.save_every=0"},
      home_ / "interrupted.log");
  const std::string log = (home_ / "interrupted" / "log.txt").string();
  for (int i = 0; i < 600; ++i) {
    usleep(50000);
    std::error_code none;
    if (fs::exists(log, none) && read_text(log).find("trainable values") != std::string::npos) {
      break;
    }
  }
  usleep(700000);
  kill(child, SIGINT);
  EXPECT_EQ(Mantissa::wait(child).status, 130) << read_text(home_ / "interrupted.log");
  int saved = 0;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints")) {
    saved += fs::exists(entry.path() / "manifest.json") ? 1 : 0;
  }
  EXPECT_EQ(saved, 1);
  RunReader reader(home_ / "runs.db");
  EXPECT_EQ(reader.list_runs().at(0).state, "stopped");
}

}  // namespace
}  // namespace mantissa
