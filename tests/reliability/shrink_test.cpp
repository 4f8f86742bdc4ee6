// A base model that shrinks while a run reads it: an error with its name, and all earlier
// checkpoints kept.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "engine/io/file.h"
#include "engine/run/checkpoint.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

TEST(Shrink, TrainingEndsWithTheNameOfTheBase) {
  const test::TempFolder folder;
  const fs::path home = folder.path();
  const fs::path base = home / "base.safetensors", out = home / "run";
  fs::copy_file(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors", base);
  // Weights in their stored type: the steps read them from the mapped file.
  std::ofstream(home / "preset.json") << R"({"mantissa_preset": 1, "name": "shrink",
    "adapter": {"rank": 2}, "data": {"resolution": 64},
    "precision": {"compute": "fp16", "weights": {"unet": "fp16"}},
    "training": {"steps": 100000}, "output": {"name": "shrunk", "save_every": 40}})";
  const Mantissa mantissa(home);
  const pid_t child = mantissa.start({"train", (home / "preset.json").string(), "--base",
                                      base.string(), "--images", "demo", "--out", out.string()},
                                     home / "log");
  const auto saved = [&] { return fs::exists(out / "checkpoints/step-00000080/manifest.json"); };
  for (int i = 0; i < 1200 && !saved(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(saved());
  // Stopped meanwhile, so that a step reads the base next: the next checkpoint, which compares its
  // stamp and would tell first, is many steps away.
  kill(child, SIGSTOP);
  fs::resize_file(base, 200'000);
  kill(child, SIGCONT);
  const int status = Mantissa::wait(child).status;
  const std::string log = read_text(home / "log");
  EXPECT_EQ(status, 2) << log;
  EXPECT_NE(log.find("base.safetensors' shrank or could not be read"), std::string::npos) << log;
  EXPECT_NE(log.find("Last good checkpoint"), std::string::npos) << log;
  int checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(out / "checkpoints")) {
    EXPECT_EQ(verify_checkpoint(entry.path()), Message()) << entry.path();
    ++checkpoints;
  }
  EXPECT_GE(checkpoints, 2);
}

}  // namespace
}  // namespace mantissa
