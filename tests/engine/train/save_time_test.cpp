// Checkpoints and samples by minutes of training.
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "engine/io/file.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using SaveTime = testing_support::RunFixture;

class Saves : public RunObserver {
 public:
  void on_saved(const std::filesystem::path& path, std::int64_t step) override {
    if (path.filename().string().starts_with("step-")) {
      steps.push_back(step);
    }
  }
  std::vector<std::int64_t> steps;
};

std::vector<std::int64_t> saved_steps(const JobSpec& job) {
  RunControl control;
  Saves saves;
  run_training(job, control, saves);
  return saves.steps;
}

std::string state_hash(const JobSpec& job) {
  return sha256_file(job.out / "checkpoints" / "step-00000004" / "state.safetensors");
}

TEST_F(SaveTime, EveryStepIsLateAndNoBitDiffers) {
  job_.preset.adapter.dropout = 0.1;
  JobSpec never = job_into("never"), often = job_into("often");
  never.preset.output.save_minutes = 0;
  often.preset.output.save_minutes = 1e-9;
  EXPECT_EQ(saved_steps(never), std::vector<std::int64_t>{4}) << "only at the end";
  EXPECT_EQ(saved_steps(often), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(state_hash(never), state_hash(often));
}

TEST_F(SaveTime, MinutesCountFromTheLastCheckpoint) {
  job_.preset.output.save_minutes = 60;
  job_.preset.output.save_every = 2;
  EXPECT_EQ(saved_steps(job_), (std::vector<std::int64_t>{2, 4}));
}

TEST_F(SaveTime, APauseIsNoTrainingTime) {
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kBetween(3), kPause(4);
  /// Pauses after the first step for longer than the time between checkpoints and between samples.
  struct Pause : RunObserver {
    explicit Pause(RunControl& c) : control(c) {}
    void on_step(const StepRecord& r) override {
      if (r.step == 1) {
        control.request_pause();
      }
    }
    void on_state(RunState state) override {
      if (state == RunState::paused) {
        sleeper = std::thread([this] {
          std::this_thread::sleep_for(kPause);
          control.request_resume();
        });
      }
    }
    void on_saved(const std::filesystem::path&, std::int64_t step) override {
      if (step < 4) {  // on a slow machine, steps take long enough for a checkpoint, too
        EXPECT_GE(Clock::now() - begun - (step > 1 ? kPause : std::chrono::seconds(0)), kBetween)
            << step;
      }
    }
    void on_sample(const SampleRecord& sample) override {
      if (sample.step > 0 && sample.step < 4) {
        EXPECT_GE(Clock::now() - begun - (sample.step > 1 ? kPause : std::chrono::seconds(0)),
                  kBetween)
            << sample.step;
      }
    }
    RunControl& control;
    Clock::time_point begun = Clock::now();
    std::thread sleeper;
  };
  const double minutes = std::chrono::duration<double, std::ratio<60>>(kBetween).count();
  job_.preset.output.save_minutes = job_.preset.samples.every_minutes = minutes;
  job_.preset.samples.prompts = {{.prompt = "a red disc", .width = 64, .height = 64, .steps = 1}};
  RunControl control;
  Pause pause(control);
  run_training(job_, control, pause);
  pause.sleeper.join();
}

TEST_F(SaveTime, SamplesComeByTimeTooAndChangeNoBit) {
  struct Samples : RunObserver {
    void on_sample(const SampleRecord& sample) override { steps.push_back(sample.step); }
    std::vector<std::int64_t> steps;
  };
  job_.preset.samples.prompts = {{.prompt = "a red disc", .width = 64, .height = 64, .steps = 1}};
  const auto sampled = [&](const JobSpec& job) {
    RunControl control;
    Samples samples;
    run_training(job, control, samples);
    return samples.steps;
  };
  JobSpec never = job_into("never"), often = job_into("often"), seldom = job_into("seldom");
  often.preset.samples.every_minutes = 1e-9;
  seldom.preset.samples.every_minutes = 60;
  EXPECT_EQ(sampled(never), std::vector<std::int64_t>{});
  EXPECT_EQ(sampled(often), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(sampled(seldom), (std::vector<std::int64_t>{0, 4})) << "before and after the training";
  EXPECT_EQ(state_hash(never), state_hash(often));
}

}  // namespace
}  // namespace mantissa
