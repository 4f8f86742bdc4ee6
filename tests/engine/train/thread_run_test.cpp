// A run that threads of one process share: the same bits for any number of them, and an orderly
// end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/run/checkpoint.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

/// Calls a function at each step.
class AtSteps : public testing_support::HealthRecorder {
 public:
  explicit AtSteps(std::function<void(std::int64_t)> call) : call_(std::move(call)) {}
  void on_step(const StepRecord& r) override {
    HealthRecorder::on_step(r);
    call_(r.step);
  }

 private:
  std::function<void(std::int64_t)> call_;
};

class ThreadRunTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.training.gradient_accumulation = 4;
  }
  /// Losses, adapter and state.
  struct Result {
    std::vector<double> losses;
    std::string adapter, state;
    bool operator==(const Result&) const = default;
  };
  Result trained(const JobSpec& job, int threads) {
    testing_support::HealthRecorder seen;
    RunControl control;
    const RunResult run = train_in_threads(job, control, seen, threads);
    log_ = seen.log;
    Result result{{}, read_text(run.adapter), state_of(run.folder)};
    for (const StepRecord& step : seen.steps) {
      result.losses.push_back(step.loss);
    }
    return result;
  }
  static std::string state_of(const std::filesystem::path& run) {
    const auto newest = CheckpointFolder(run / "checkpoints").newest_valid([](const Message&) {});
    return newest ? read_text(*newest / "state.safetensors") : "";
  }
  void expect_same_for_any_number() {
    const Result alone = trained(job_into("alone"), 1);
    EXPECT_EQ(alone.losses.size(), 4U);
    for (const int threads : {2, 3, 4}) {
      const std::string name = "threads" + std::to_string(threads);
      EXPECT_TRUE(trained(job_into(name.c_str()), threads) == alone) << name;
    }
  }
  /// The error of a run of two.
  std::string error_of(const JobSpec& job, RunControl& control, RunObserver& observer) {
    try {
      train_in_threads(job, control, observer, 2);
    } catch (const std::exception& e) {
      return e.what();
    }
    return {};
  }

  std::string log_;
};

TEST_F(ThreadRunTest, GivesTheSameBitsForAnyNumber) {
  expect_same_for_any_number();
  EXPECT_THAT(log_, HasSubstr("4 cards share the 4 micro-steps of each step"));
}

TEST_F(ThreadRunTest, AlsoWithALossScaleAndDora) {
  apply_set(job_.preset, "precision.compute=fp16");
  apply_set(job_.preset, "precision.loss_scaling=3000000");  // the first steps overflow
  apply_set(job_.preset, "adapter.type=dora");
  apply_set(job_.preset, "training.max_grad_norm=0.05");
  expect_same_for_any_number();
}

TEST_F(ThreadRunTest, ContinuesOnAnotherNumber) {
  const Result whole = trained(job_into("whole"), 1);
  JobSpec job = job_into("stopped");
  RunControl control;
  AtSteps stopping([&](std::int64_t step) {
    if (step == 2) {
      control.request_stop(RunControl::Stop::save);
    }
  });
  EXPECT_THAT(error_of(job, control, stopping), HasSubstr("stopped at step 2 of 4"));
  job.resume = job.out;
  const Result rest = trained(job, 4);
  EXPECT_EQ(rest.losses, std::vector<double>(whole.losses.begin() + 2, whole.losses.end()));
  EXPECT_TRUE(rest.adapter == whole.adapter && rest.state == whole.state);
}

TEST_F(ThreadRunTest, WhatFailsInOneEndsAll) {
  RunControl control;
  AtSteps failing([](std::int64_t step) {
    if (step == 2) {
      throw Error(ErrorKind::out_of_disk, message<"no room">());
    }
  });
  EXPECT_THAT(error_of(job_into("failed"), control, failing), HasSubstr("no room"));
}

/// All of them stop, also those that prepare after the first has.
TEST_F(ThreadRunTest, StopsWhilePreparing) {
  class StopWhenLoaded : public RunObserver {
   public:
    explicit StopWhenLoaded(RunControl& control) : control_(control) {}
    void on_begun(const std::string&, const std::filesystem::path&) override {
      control_.request_stop(RunControl::Stop::discard);
    }

   private:
    RunControl& control_;
  };
  RunControl control;
  StopWhenLoaded observer(control);
  EXPECT_THAT(error_of(job_into("early"), control, observer), HasSubstr("stopped while "));
}

TEST(RunControl, StopsWithItsLeader) {
  RunControl leader, follower;
  follower.stop_with(leader);
  EXPECT_EQ(follower.stop_requested(), RunControl::Stop::none);
  leader.request_stop(RunControl::Stop::discard);
  EXPECT_EQ(follower.stop_requested(), RunControl::Stop::discard);
  follower.request_stop(RunControl::Stop::save);
  EXPECT_EQ(follower.stop_requested(), RunControl::Stop::save);
  EXPECT_EQ(leader.stop_requested(), RunControl::Stop::discard);
}

TEST_F(ThreadRunTest, RefusesWhatTheyCannotShare) {
  RunControl control;
  RunObserver nobody;
  JobSpec traced = job_into("traced");
  traced.trace = home_ / "traced.json";
  EXPECT_THAT(error_of(traced, control, nobody), HasSubstr("--trace is for a run of one process"));
  JobSpec few = job_into("few");
  few.preset.training.gradient_accumulation = 1;
  EXPECT_THAT(error_of(few, control, nobody),
              HasSubstr("2 cards share the micro-steps of a step, but "
                        "training.gradient_accumulation is 1. Set it to a multiple of 2"));
}

}  // namespace
}  // namespace mantissa
