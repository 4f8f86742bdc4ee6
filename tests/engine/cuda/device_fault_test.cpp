// A card that runs out of memory at any allocation, or fails at any call: the run ends with a
// single error that gives the cause and the remedy, its checkpoints verify, no memory leaks, and
// once resumed it is bit-identical to an undisturbed run. Needs the test library: a real card can't
// be made to fail.
#include <algorithm>
#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/plan/device_error.h"
#include "engine/plan/plan_run.h"
#include "engine/plan/planned_run.h"
#include "engine/run/checkpoint.h"
#include "tests/engine/cuda/card.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

using cuda_on_host::Api;
using cuda_on_host::Fault;
using testing_support::CardMemory;
using testing_support::CudaFixture;
using testing_support::HealthRecorder;

constexpr int kOutOfMemory = 2, kUnavailable = 46, kEcc = 214, kLaunchFailure = 719, kUnknown = 999;
constexpr std::array kLost{kLaunchFailure, kEcc, kUnavailable, kUnknown};
constexpr std::array kNames{"allocation", "host allocation", "copy", "launch",
                            "sync",       "event",           "graph"};

/// Six-step runs on three images, with a checkpoint every two steps and samples every three.
class DeviceFaultRun : public CudaFixture {
 protected:
  static constexpr int kSteps = 6;

  void SetUp() override {
    CudaFixture::SetUp();
    if (!card_.visible()) {
      GTEST_SKIP() << "a real card can't be made to fail";
    }
    const fs::path images = home_ / "images";
    fs::create_directories(images);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<std::uint8_t> pixels(std::size_t{64} * 64 * 3);
      for (std::size_t k = 0; k < pixels.size(); ++k) {
        pixels[k] = static_cast<std::uint8_t>(k * 7 + i * 31);
      }
      write_png(images / (std::to_string(i) + ".png"), pixels, 64, 64);
    }
    job_.images = {images};
    job_.device = "cuda:0";
    job_.preset.training.steps = kSteps;
    job_.preset.training.ema = 0.9;
    job_.preset.adapter.dropout = 0.1;
    job_.preset.output.save_every = 2;
    job_.preset.samples.every = 3;
    job_.preset.samples.prompts = {{"a red circle", "", 1, 64, 64, 1, 2.0}};
  }
  void TearDown() override {
    if (card_.visible()) {
      card_.fail({});
    }
    CudaFixture::TearDown();
  }

  void fill_cache() {
    HealthRecorder observer;
    JobSpec job = job_into("cached");
    job.preset.training.steps = 1;
    run(job, observer);
  }

  /// Keeps most weights in host memory, so that page-locked memory and events are used too. The
  /// cache must be full.
  void stream() {
    const std::uint64_t whole = plan_training(job_).peak_bytes;
    job_.memory_budget = 1;
    const std::uint64_t least = plan_training(job_).peak_bytes;
    job_.memory_budget = least + (std::uint64_t{8} << 20);
    ASSERT_LT(job_.memory_budget, whole);
  }

  /// Runs undisturbed; keeps its result and the number of calls of each kind.
  void run_undisturbed() {
    HealthRecorder observer;
    fs::remove_all(home_ / "whole");
    card_.fail({});
    run(job_into("whole"), observer);
    for (std::size_t api = 0; api < calls_.size(); ++api) {
      calls_[api] = card_.calls(static_cast<Api>(api));
    }
    expected_ = state("whole");
    ASSERT_EQ(card_.used(), 0u);
    ASSERT_EQ(card_.host_blocks(), 0);
  }
  std::int64_t calls(Api api) const { return calls_[static_cast<std::size_t>(api)]; }

  std::string state(const char* folder) const {
    return read_text(home_ / folder / "checkpoints/step-00000006/state.safetensors") +
           read_text(home_ / folder / "test.safetensors");
  }
  void forget_cache() const { fs::remove_all(home_ / "cache"); }

  /// Verifies every checkpoint; returns the latest one's step, 0 if there is none.
  std::int64_t verified(const char* folder) const {
    std::int64_t newest = 0;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(home_ / folder / "checkpoints", none)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("step-")) {
        EXPECT_EQ(verify_checkpoint(entry.path()), Message()) << entry.path();
        newest = std::max<std::int64_t>(newest, std::stoll(name.substr(sizeof "step-" - 1)));
      }
    }
    return newest;
  }

  /// Runs with the fault; a run that stops is resumed without it.
  void fail_and_go_on(const Fault& fault, Report& report) {
    ++report.count;
    SCOPED_TRACE(std::string(kNames[static_cast<std::size_t>(fault.api)]) + " " +
                 std::to_string(fault.call) + ", error " + std::to_string(fault.error) +
                 (fault.told_late ? ", told late" : ""));
    JobSpec job = job_into("fault");
    fs::remove_all(job.out);
    HealthRecorder observer;
    bool stopped = false;
    card_.fail(fault);
    try {
      run(job, observer);
    } catch (const RunDeviceLost& e) {
      stopped = true;
      EXPECT_TRUE(fault.lost) << e.what();
      expect_told(e.what(), {"device cuda:0 stopped working: [",
                             "CUDA: ", "start Mantissa again and resume the run"});
    } catch (const Error& e) {
      stopped = true;
      EXPECT_FALSE(fault.lost) << e.what();
      EXPECT_EQ(e.kind(), ErrorKind::out_of_memory) << e.what();
      expect_told(e.what(), {" bytes", "Close other programs"});
    }
    ASSERT_EQ(card_.used(), 0u);
    ASSERT_EQ(card_.host_blocks(), 0);
    card_.fail({});
    if (stopped) {
      ++stopped_;
      const std::int64_t newest = verified("fault");
      report.lost(std::ssize(observer.steps) - newest);
      if (fs::exists(job.out / "job.json")) {
        job.resume = job.out;
      } else {
        fs::remove_all(job.out);
      }
      const Stopwatch watch;
      run(job, observer);
      report.recovered(watch.seconds());
    } else {
      EXPECT_EQ(std::ssize(observer.steps), kSteps);
    }
    EXPECT_TRUE(state("fault") == expected_) << "differs from an undisturbed run";
  }

  /// A single line that contains all of `parts`.
  static void expect_told(const std::string& told, const std::vector<std::string>& parts) {
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
    for (const std::string& part : parts) {
      EXPECT_NE(told.find(part), std::string::npos) << told;
    }
  }

  /// Fails allocation 1, 1 + stride, …, each in a run of its own.
  void fail_allocations(Api api, std::int64_t stride, Report& report) {
    for (std::int64_t call = 1; call <= calls(api) && !HasFatalFailure(); call += stride) {
      fail_and_go_on({api, call, kOutOfMemory}, report);
    }
    report.notes += (report.notes.empty() ? "" : ", ") + std::to_string(calls(api)) + " " +
                    kNames[static_cast<std::size_t>(api)] + "s";
  }

  /// Fails each kind of call in `times` runs, at random.
  void lose_card(long times, Report& report) {
    std::mt19937 random(test_seed());
    long drawn = 0;
    for (int i = 0; i < cuda_on_host::kApis; ++i) {
      const Api api = static_cast<Api>(i);
      ASSERT_GT(calls(api), 0) << kNames[static_cast<std::size_t>(i)];
      for (long k = 0; k < times && !HasFatalFailure(); ++k, ++drawn) {
        Fault fault{api, 0, kLost[static_cast<std::size_t>(drawn) % kLost.size()], true,
                    k % 2 == 1};
        fault.call = 1 + static_cast<std::int64_t>(random()) % calls(api);
        fail_and_go_on(fault, report);
      }
    }
    report.notes = std::to_string(stopped_) + " runs stopped";
  }

  CardMemory card_;
  std::array<std::int64_t, cuda_on_host::kApis> calls_{};
  std::string expected_;
  long stopped_ = 0;
};

TEST_F(DeviceFaultRun, SomeAllocationsFail) {
  Report report("17 failing allocation");
  fill_cache();
  stream();
  run_undisturbed();
  fail_allocations(Api::allocation, calls(Api::allocation) / 8 + 1, report);
  fail_allocations(Api::host_allocation, calls(Api::host_allocation) / 2 + 1, report);
  EXPECT_GT(stopped_, 4);
}

TEST_F(DeviceFaultRun, SomeAllocationsFailWhileImagesAreEncoded) {
  Report report("17 failing allocation");
  run_undisturbed();
  for (std::int64_t part = 0; part < 4; ++part) {
    forget_cache();
    fail_and_go_on({Api::allocation, 1 + calls(Api::allocation) * part / 8, kOutOfMemory}, report);
  }
}

TEST_F(DeviceFaultRun, NightlyEachAllocationFails) {
  Report report("17 failing allocation");
  const std::int64_t stride = count_of("MANTISSA_ALLOCATION_STRIDE", 1);
  fill_cache();
  run_undisturbed();
  fail_allocations(Api::allocation, stride, report);
  stream();
  run_undisturbed();
  fail_allocations(Api::host_allocation, stride, report);
  report.notes += ", " + std::to_string(stopped_) + " runs stopped";
}

TEST_F(DeviceFaultRun, NightlyEachAllocationFailsWhileImagesAreEncoded) {
  Report report("17 failing allocation, nothing cached");
  fill_cache();
  run_undisturbed();
  const std::int64_t cached = calls(Api::allocation);
  forget_cache();
  run_undisturbed();
  // The allocations that a run with a full cache doesn't make.
  const std::int64_t encoding = calls(Api::allocation) - cached;
  ASSERT_GT(encoding, 0);
  const std::int64_t stride = count_of("MANTISSA_ALLOCATION_STRIDE", 1);
  for (std::int64_t call = 1; call <= encoding && !HasFatalFailure(); call += stride) {
    forget_cache();
    fail_and_go_on({Api::allocation, call, kOutOfMemory}, report);
  }
  report.notes = std::to_string(stopped_) + " runs stopped";
}

TEST_F(DeviceFaultRun, TheCardIsLostAtACallOfEachKind) {
  Report report("18 lost card");
  fill_cache();
  stream();
  run_undisturbed();
  lose_card(1, report);
  EXPECT_GE(stopped_, 5);
}

TEST_F(DeviceFaultRun, NightlyTheCardIsLostAtTenCallsOfEachKind) {
  Report report("18 lost card");
  fill_cache();
  stream();
  run_undisturbed();
  lose_card(count_of("MANTISSA_LOSSES", 10), report);
}

TEST_F(DeviceFaultRun, ALostCardHasAnExitStatusOfItsOwn) {
  const Mantissa program(home_);
  const fs::path preset = home_ / "preset.json", out = home_ / "run", log = home_ / "log";
  std::ofstream(preset) << R"({"mantissa_preset": 1, "name": "lost", "adapter": {"rank": 2},
    "data": {"resolution": 64, "batch_size": 1}, "samples": {"every": 0},
    "training": {"steps": 4}, "output": {"name": "test", "save_every": 1}})";
  const auto train = [&](const fs::path& to, bool resume, const std::string& fault) {
    std::vector<std::string> words{"train", preset.string(), resume ? "--resume" : "--out",
                                   to.string()};
    if (!resume) {
      words.insert(words.end(), {"--base", "demo", "--images", job_.images[0].string(), "--device",
                                 "cuda:0", "--deterministic"});
    }
    return program.run(words, log, {}, {{"MANTISSA_CUDA_FAULT", fault}}).status;
  };
  const auto result = [](const fs::path& run) {
    return read_text(run / "checkpoints/step-00000004/state.safetensors");
  };
  ASSERT_EQ(train(home_ / "whole", false, ""), 0) << read_text(log);
  ASSERT_EQ(train(out, false, "6 4 719"), 7) << read_text(log);
  const std::string told = read_text(log);
  EXPECT_NE(told.find("mantissa: device cuda:0 stopped working: [replay] CUDA: unspecified launch "
                      "failure. This process"),
            std::string::npos)
      << told;
  const std::int64_t newest = verified("run");
  EXPECT_TRUE(newest > 0 && newest < 4) << newest << ": saved every step, lost in mid-run";
  EXPECT_NE(told.find("Last good checkpoint: " + (out / "checkpoints/step-0000000").string() +
                      std::to_string(newest)),
            std::string::npos)
      << told;
  ASSERT_EQ(train(out, true, ""), 0) << read_text(log);
  EXPECT_TRUE(result(out) == result(home_ / "whole"));
  // Other commands report it too.
  EXPECT_EQ(
      program
          .run({"sample", "--base", "demo", "--device", "cuda:0", "--prompt", "a zorb", "--width",
                "64", "--height", "64", "--steps", "1", "--out", (home_ / "sample.png").string()},
               log, {}, {{"MANTISSA_CUDA_FAULT", "3 20 214"}})
          .status,
      7)
      << read_text(log);
  EXPECT_NE(read_text(log).find("mantissa: the card stopped working: "), std::string::npos)
      << read_text(log);
}

}  // namespace
}  // namespace mantissa
