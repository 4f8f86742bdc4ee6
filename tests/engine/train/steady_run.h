#pragma once
// Runs whose memory must be taken before their first step.

#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "engine/io/image.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa::testing_support {

/// Makes `job` train on images of two shapes, written to `folder`, with samples, validation, layer
/// statistics and checkpoints between its steps.
inline void keep_busy(JobSpec& job, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (int i = 0; i < 8; ++i) {
    const int width = i % 2 == 0 ? 64 : 128, height = i % 2 == 0 ? 64 : 32;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3));
    for (std::size_t k = 0; k < pixels.size(); ++k) {
      pixels[k] = static_cast<std::uint8_t>(k * 7 + static_cast<std::size_t>(i) * 31);
    }
    const std::string name = std::to_string(i);
    write_png(folder / (name + ".png"), pixels, width, height);
    std::ofstream(folder / (name + ".txt")) << "pattern, " << name;
  }
  job.images = {folder};
  job.health_every = 3;
  job.preset.training.steps = 8;
  job.preset.training.validate_every = 3;
  job.preset.data.validation_share = 0.25;
  job.preset.output.save_every = 4;
  job.preset.samples.every = 3;
  job.preset.samples.prompts = {{"a pattern", "", 1, 64, 64, 2, 2.0}};
}

inline constexpr const char* kSteady = "no memory was taken after the first step began";

/// Memory of the process that no file backs, in bytes.
inline double anonymous_memory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == "RssAnon:" && status >> kilobytes) {
      break;
    }
  }
  return 1024 * kilobytes;
}

/// What a long run takes at its 100th step and at its last.
class MemoryRecorder : public RunObserver {
 public:
  explicit MemoryRecorder(std::int64_t last) : last_(last) {}
  void on_step(const StepRecord& r) override {
    if (r.step == 100) {
      early = anonymous_memory();
    } else if (r.step == last_) {
      late = anonymous_memory();
    }
  }
  void on_log(LogLevel, const Message& line) override { log += line.text() + "\n"; }
  double early = 0, late = 0;
  std::string log;

 private:
  std::int64_t last_;
};

/// Sets `job` up for 2,000 steps with samples, validation and checkpoints every 50.
inline void run_long(JobSpec& job) {
  job.preset.training.steps = 2000;
  job.preset.training.validate_every = 50;
  job.preset.samples.every = 50;
  job.preset.output.save_every = 50;
  job.preset.output.keep = 2;
  job.health_every = 50;
}

}  // namespace mantissa::testing_support
