#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/io/file.h"
#include "engine/run/checkpoint.h"
#include "engine/store/reader.h"
#ifdef _WIN32
#include "tests/reliability/windows/process.h"
#else
#include "tests/reliability/process.h"
#endif
#include "tests/test_util.h"

namespace mantissa {

/// Runs of nine steps of the demo's model, saved every two, in a separate home with a full cache;
/// and the results of an undisturbed one.
class TinyRun : public testing::Test {
 public:
  static std::string id_of(const std::filesystem::path& folder) {
    const std::string job = read_text(folder / "job.json");
    const std::size_t at = job.find("\"id\": \"") + 7;
    return job.substr(at, job.find('"', at) - at);
  }

 protected:
  static constexpr int kSteps = 9, kSaveEvery = 2;

  void SetUp() override {
    std::filesystem::create_directories(home_ / "out");
    std::ofstream(root_ / "preset.json") << R"({"mantissa_preset": 1, "name": "tiny run",
      "adapter": {"rank": 2, "dropout": 0.1},
      "data": {"resolution": 64, "batch_size": 1, "caption_dropout": 0.2},
      "training": {"steps": 9, "ema": 0.9},
      "output": {"name": "tiny", "save_every": 2}})";
    run("reference", false);  // fills the cache, so that the runs below are comparable
    ASSERT_EQ(run("straight", false), 0) << log("straight");
    reference_ = fingerprint("straight");
  }
  std::filesystem::path folder(const std::string& out) const { return home_ / "out" / out; }

  /// `mantissa train` into folder(out); minus the signal if it was killed.
  int run(const std::string& out, bool resume,
          const std::map<std::string, std::string>& shim = {}) const {
    return Mantissa(home_)
        .run(arguments(out, resume), root_ / (out + ".log"), {}, preloaded(shim))
        .status;
  }
  std::vector<std::string> arguments(const std::string& out, bool resume) const {
    const std::string preset = (root_ / "preset.json").string(), to = folder(out).string();
    return with(resume ? std::vector<std::string>{"train", preset, "--resume", to}
                       : std::vector<std::string>{"train", preset, "--base", "demo", "--images",
                                                  images_, "--out", to},
                more_);
  }
  static std::vector<std::string> with(std::vector<std::string> arguments,
                                       const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string log(const std::string& out) const { return read_text(root_ / (out + ".log")); }

  /// Calls of a whole run on paths that contain `scope`.
  long calls(const std::string& out, const std::string& scope) const {
    const std::filesystem::path file = root_ / (out + ".count");
    EXPECT_EQ(
        run(out, false, {{"MANTISSA_SHIM_COUNT", file.string()}, {"MANTISSA_SHIM_SCOPE", scope}}),
        0);
    long n = 0;
    std::ifstream(file) >> n;
    return n;
  }

  /// The exact loss of every step up to `last`.
  std::string losses(const std::string& out, std::int64_t last = kSteps) const {
    std::string text;
    RunReader reader(home_ / "runs.db");
    for (const StepRow& row : reader.metrics(id_of(folder(out)))) {
      char line[96];
      std::snprintf(line, sizeof line, "%lld %a %a\n", static_cast<long long>(row.step), row.loss,
                    row.grad_norm);
      text += row.step <= last ? line : "";
    }
    return text;
  }
  /// Masters, optimizer state and averages of the last step; the adapter.
  std::string weights(const std::string& out) const {
    return sha256_file(folder(out) / "checkpoints/step-00000009/state.safetensors") + " " +
           sha256_file(folder(out) / "tiny.safetensors");
  }
  std::string fingerprint(const std::string& out) const {
    return weights(out) + "\n" + losses(out);
  }

  /// Step of the latest checkpoint that verifies, 0 if there is none.
  std::int64_t newest_step(const std::string& out) const {
    const auto newest =
        CheckpointFolder(folder(out) / "checkpoints").newest_valid([](const Message&) {});
    return newest ? std::stoll(newest->filename().string().substr(sizeof "step-" - 1)) : 0;
  }

  const test::TempFolder folder_of_test_;
  const std::filesystem::path root_ = folder_of_test_.path();
  const std::filesystem::path home_ = root_ / "home";  ///< MANTISSA_HOME and all runs
  std::string images_ = "demo";                        ///< of every run
  std::vector<std::string> more_;                      ///< arguments of every run
  std::string reference_;
};

}  // namespace mantissa
