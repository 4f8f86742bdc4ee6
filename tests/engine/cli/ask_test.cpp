// Requests to a run of another process: who trains it is played by this one.
#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "engine/io/run_lock.h"
#include "engine/preset/preset_io.h"
#include "engine/run/live_settings.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_control.h"
#include "engine/run/run_folder.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class AskTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    JobSpec job;
    job.base = "demo";
    job.out = folder_ / "run";
    job.preset.training.steps = 100;
    job.preset.adapter.rank = 4;
    run_ = std::make_unique<RunFolder>(RunFolder::create(job));
    lock_.emplace(run_->lock());
    channel_ = std::make_unique<RunChannel>(run_->id(), run_->path(), control_, nobody_);
  }
  void TearDown() override {
    end();
    CliTest::TearDown();
  }
  void end() {
    channel_.reset();
    lock_.reset();
  }
  int ask(const std::vector<std::string>& more) {
    std::vector<std::string> args{"ask", path("run")};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  std::unique_ptr<RunFolder> run_;
  RunControl control_;
  RunObserver nobody_;
  std::optional<RunLock> lock_;
  std::unique_ptr<RunChannel> channel_;
};

TEST_F(AskTest, RequestsReachTheRun) {
  ASSERT_EQ(ask({"pause"}), 0) << err();
  EXPECT_THAT(out(), StartsWith("Run " + run_->id() + ": it pauses"));
  EXPECT_TRUE(control_.pause_requested());
  ASSERT_EQ(ask({"resume"}), 0) << err();
  EXPECT_FALSE(control_.pause_requested());
  ASSERT_EQ(ask({"stop", "--json"}), 0) << err();
  ASSERT_EQ(events().size(), 1U);
  EXPECT_EQ(events()[0]["request"], "stop");
  EXPECT_EQ(control_.stop_requested(), RunControl::Stop::save);
}

TEST_F(AskTest, SettingsAreChanged) {
  ASSERT_EQ(ask({"change", "--set", "training.steps=250", "--set", "output.save_every=50"}), 0)
      << err();
  EXPECT_THAT(out(),
              AllOf(HasSubstr("training.steps: 100 -> 250\n"), HasSubstr("output.save_every: ")));
  ASSERT_EQ(ask({"change", "--set", "samples.every=5", "--json"}), 0) << err();
  EXPECT_EQ(events()[0]["changes"][0]["key"], "samples.every");
  EXPECT_EQ(events()[0]["changes"][0]["after"], 5);
  EXPECT_THAT(control_.take_changes(),
              ElementsAre("training.steps=250", "output.save_every=50", "samples.every=5"))
      << "a second request before the next step adds to the first";
}

/// As the run records what is in force.
TEST_F(AskTest, ChangesAreToldFromTheSettingsInForce) {
  Preset longer = run_->frozen_job().preset;
  longer.training.steps = 300;
  run_->record_settings(longer);
  ASSERT_EQ(ask({"change", "--set", "training.steps=400"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("training.steps: 300 -> 400\n"));
}

TEST_F(AskTest, ALengthThatThePassedStepsExceedEndsTheRun) {
  {
    RunStore store(context_.runs_database(), [](const RunRow&) { return true; });
    RunRow row;
    row.id = run_->id();
    row.state = "training";
    row.preset_json = row.plan_json = "{}";
    store.create_run(row);
    StepRow step;
    step.step = 60;
    store.add_step(row.id, step);
    store.flush();
  }
  ASSERT_EQ(ask({"change", "--set", "training.steps=5"}), 0) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr(": it has 60 steps already, more than the 5 asked for: it "
                                     "ends after this step"),
                           HasSubstr("training.steps: 100 -> 60\n")));
  ASSERT_EQ(ask({"change", "--set", "training.steps=5", "--json"}), 0) << err();
  EXPECT_EQ(events()[0]["changes"][0]["after"], 60);
  ASSERT_EQ(ask({"change", "--set", "training.steps=80"}), 0) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("it trains with these settings after this step"),
                           HasSubstr("training.steps: 100 -> 80\n")));
  ASSERT_EQ(ask({"change", "--set", "training.epochs=2"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("it trains with these settings")) << "of unknown length";
  PlanReport plan;
  plan.length = {.steps = 100, .batches_per_epoch = 25, .batches_per_step = 1};
  channel_->on_plan(plan);
  const auto is_planned = [&] {
    const std::optional<RunStatus> status = read_status(run_->path());
    return status && std::ranges::any_of(status->lines, [](const std::string& line) {
             return line.find("\"plan\"") != std::string::npos;
           });
  };
  while (!is_planned()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_EQ(ask({"change", "--set", "training.epochs=2"}), 0) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("more than the 50 asked for: it ends with this epoch\n"),
                           HasSubstr("training.epochs: 0 -> 3\n")));
}

TEST_F(AskTest, WhatCannotBeAskedIsRefused) {
  EXPECT_EQ(ask({"change", "--set", "adapter.rank=8"}), 2);
  EXPECT_THAT(err(), AllOf(HasSubstr("adapter.rank can't change while a run trains"),
                           HasSubstr("training.steps"), HasSubstr("optimizer.learning_rate")));
  EXPECT_EQ(ask({"change", "--set", "output.keep=3"}), 2);
  EXPECT_THAT(err(), HasSubstr("output.keep can't change")) << "on resume alone";
  EXPECT_EQ(ask({"change", "--set", "training.steps=many"}), 2);
  EXPECT_THAT(err(), HasSubstr("training.steps"));
  EXPECT_EQ(ask({"change"}), 2);
  EXPECT_THAT(err(), HasSubstr("change needs the settings: --set KEY=VALUE"));
  EXPECT_EQ(ask({"save", "--set", "training.steps=5"}), 2);
  EXPECT_THAT(err(), HasSubstr("--set belongs to the request change, not to save"));
  EXPECT_FALSE(control_.take_save_request());
  EXPECT_TRUE(control_.take_changes().empty());
  EXPECT_EQ(ask({"sample"}), 2);
  EXPECT_THAT(err(), HasSubstr("the run has no sample prompts"));
  EXPECT_FALSE(control_.take_sample_request());
  end();
  EXPECT_EQ(ask({"pause"}), 2);
  EXPECT_THAT(err(), HasSubstr("no process trains the run"));
}

}  // namespace
}  // namespace mantissa
