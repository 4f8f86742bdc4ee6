// Runs whose length, saves and samples are counted in epochs.
#include <gtest/gtest.h>

#include "engine/run/run_folder.h"
#include "engine/train/run_training.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class EpochListener : public testing_support::HealthRecorder {
 public:
  explicit EpochListener(RunControl* control = nullptr, std::int64_t stop_at = -1)
      : control_(control), stop_at_(stop_at) {}
  void on_plan(const PlanReport& r) override { length = r.length; }
  void on_saved(const std::filesystem::path&, std::int64_t step) override { saved.push_back(step); }
  void on_sample(const SampleRecord& r) override { sampled.push_back(r.step); }
  void on_step(const StepRecord& r) override {
    HealthRecorder::on_step(r);
    if (r.step == stop_at_) {
      control_->request_stop(RunControl::Stop::save);
    }
  }
  RunLength length;
  std::vector<std::int64_t> saved, sampled;

 private:
  RunControl* control_;
  std::int64_t stop_at_;
};

class Epochs : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.health_every = 0;
    job_.images = {home_ / "images"};
    std::filesystem::create_directories(home_ / "images");
    for (const char* name : {"zorb_01", "zorb_02", "zorb_03"}) {
      for (const char* end : {".png", ".txt"}) {
        std::filesystem::copy_file(std::filesystem::path(MANTISSA_SOURCE_DIR) /
                                       "resources/demo/images" / (std::string(name) + end),
                                   home_ / "images" / (std::string(name) + end));
      }
    }
    job_.preset.training.epochs = 4;
    job_.preset.output.save_minutes = 0;
    job_.preset.schedule.type = ScheduleType::linear;
    job_.preset.schedule.warmup_steps = 0;
  }
};

TEST_F(Epochs, GiveTheLengthAndItsMarks) {
  job_.preset.output.save_epochs = 2;
  job_.preset.samples.every_epochs = 3;
  job_.preset.samples.prompts = {
      {.prompt = "a zorb", .width = 64, .height = 64, .steps = 1, .guidance = 1}};
  EpochListener listener;
  const RunResult result = run(job_, listener);
  EXPECT_EQ(result.steps, 12);
  EXPECT_EQ(listener.length.steps, 12);
  EXPECT_EQ(listener.length.batches_per_epoch, 3);
  EXPECT_EQ(listener.saved, (std::vector<std::int64_t>{6, 12, 12})) << "the end saves once";
  EXPECT_EQ(listener.sampled, (std::vector<std::int64_t>{0, 9, 12}));
  EXPECT_NE(listener.log.find("4 epochs of 3 batches: 12 steps"), std::string::npos);
  // The schedule decays over all of them.
  EXPECT_GT(listener.steps[10].parts.begin()->lr, 0);
  EXPECT_LT(listener.steps[11].parts.begin()->lr, 0.2 * job_.preset.optimizer.learning_rate);
}

TEST_F(Epochs, StandForTheirStepsToTheBit) {
  EpochListener by_epochs, by_steps;
  const RunResult a = run(job_into("a"), by_epochs);
  job_.preset.training.epochs = 0;
  job_.preset.training.steps = 12;
  const RunResult b = run(job_into("b"), by_steps);
  EXPECT_EQ(a.final_loss, b.final_loss);
}

TEST_F(Epochs, HoldWhenTheRunIsResumed) {
  EpochListener whole;
  const RunResult expected = run(job_into("whole"), whole);
  JobSpec job = job_into("cut");
  RunControl control;
  EpochListener cut(&control, 5);
  EXPECT_THROW(run_training(job, control, cut), Error);
  job.resume = job.out;
  EpochListener rest;
  const RunResult result = run(job, rest);
  EXPECT_EQ(result.steps, 12);
  EXPECT_EQ(result.final_loss, expected.final_loss);
  // More of them may be asked for.
  job.preset.training.epochs = 5;
  EpochListener more;
  EXPECT_EQ(run(job, more).steps, 15);
}

TEST_F(Epochs, MayChangeWhileItRuns) {
  class Changer : public EpochListener {
   public:
    Changer(RunControl& control, Preset wanted) : control_(control), wanted_(std::move(wanted)) {}
    void on_step(const StepRecord& r) override {
      EpochListener::on_step(r);
      if (r.step == 2) {
        control_.request_settings(wanted_);
      }
    }

   private:
    RunControl& control_;
    Preset wanted_;
  };
  Preset wanted = job_.preset;
  wanted.training.epochs = 2;
  RunControl control;
  Changer changer(control, wanted);
  EXPECT_EQ(run_training(job_, control, changer).steps, 6);
}

TEST_F(Epochs, ARunIsNeverShorterThanItIs) {
  class Shortener : public EpochListener {
   public:
    Shortener(RunControl& control, std::string change)
        : control_(control), change_(std::move(change)) {}
    void on_step(const StepRecord& r) override {
      EpochListener::on_step(r);
      if (r.step == 4) {
        control_.request_changes({change_});
      }
    }

   private:
    RunControl& control_;
    std::string change_;
  };
  for (const bool by_epochs : {true, false}) {
    JobSpec job = job_into(by_epochs ? "epochs" : "steps");
    job.preset.training.epochs = by_epochs ? 4 : 0;
    job.preset.training.steps = 12;
    RunControl control;
    Shortener shortener(control, by_epochs ? "training.epochs=1" : "training.steps=1");
    const RunResult cut = run_training(job, control, shortener);
    EXPECT_EQ(cut.steps, by_epochs ? 6 : 4);
    EXPECT_NE(shortener.log.find("has 4 steps already"), std::string::npos) << shortener.log;
    JobSpec again = RunFolder::open(job.out).frozen_job();
    again.resume = job.out;
    EpochListener rest;
    EXPECT_EQ(run(again, rest).steps, cut.steps) << "it can still be resumed";
  }
}

TEST_F(Epochs, ChangesAddToThoseOfTheSameStep) {
  class Changer : public EpochListener {
   public:
    explicit Changer(RunControl& control) : control_(control) {}
    void on_step(const StepRecord& r) override {
      EpochListener::on_step(r);
      if (r.step == 2) {
        control_.request_changes({"training.epochs=3"});
        control_.request_changes({"output.save_every=4", "training.epochs=2"});
      }
    }

   private:
    RunControl& control_;
  };
  RunControl control;
  Changer changer(control);
  const RunResult result = run_training(job_, control, changer);
  EXPECT_EQ(result.steps, 6);
  const Preset recorded = RunFolder::open(job_.out).frozen_job().preset;
  EXPECT_EQ(recorded.training.epochs, 2);
  EXPECT_EQ(recorded.output.save_every, 4);
}

TEST_F(Epochs, WeighTheLossOfAFolder) {
  job_.preset.training.epochs = 0;
  job_.preset.training.steps = 3;
  EpochListener plain, weighted;
  run(job_into("plain"), plain);
  job_.preset.data.folders = {{"images", 0, 0.25, ""}};
  run(job_into("weighted"), weighted);
  EXPECT_NEAR(weighted.steps[0].loss, 0.25 * plain.steps[0].loss, 1e-6);
  EXPECT_NEAR(weighted.steps[0].grad_norm, 0.25 * plain.steps[0].grad_norm,
              1e-4 * plain.steps[0].grad_norm);
}

}  // namespace
}  // namespace mantissa
