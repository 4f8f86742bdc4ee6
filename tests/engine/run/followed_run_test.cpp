// A run of another process, shown as if it was trained here.
#include "engine/run/followed_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "engine/core/paths.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_failure.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_launch.h"
#include "engine/run/run_log.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// What the follower tells; asks something of its run at times.
struct Told : RunObserver {
  void on_begun(const std::string& id, const fs::path&) override { run = id; }
  void on_state(RunState state) override {
    if (state == RunState::paused && resumes != nullptr) {
      resumes->request_resume();
    }
  }
  void on_log(LogLevel, const Message& line) override { log += line.text() + "\n"; }
  void on_step(const StepRecord& step) override {
    steps.push_back(step.step);
    if (step.step == leave_at) {
      leaves->request_leave();
    }
  }
  void on_sample(const SampleRecord& sample) override { samples.push_back(sample.step); }
  void on_saved(const fs::path&, std::int64_t step) override { saved.push_back(step); }
  void on_health(const HealthRecord& record) override { health.push_back(record.step); }
  void on_validation(const ValidationRecord& row) override { validations.push_back(row.step); }
  void on_pause(const PauseRecord&) override { ++pauses; }
  void on_settings(const Preset& preset) override { steps_wanted.push_back(preset.training.steps); }

  std::string run, log;
  std::vector<std::int64_t> steps, samples, saved, health, validations, steps_wanted;
  int pauses = 0;
  RunControl* resumes = nullptr;
  RunControl* leaves = nullptr;
  std::int64_t leave_at = -1;
};

/// A process that trains, as a thread.
class FollowedRunTest : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    folder_.emplace(RunFolder::create(job_));
    lock_.emplace(folder_->lock());
    store_ = std::make_unique<RunStore>(runs_database());
    RunRow row;
    row.id = folder_->id();
    row.state = state_name(RunState::preparing);
    row.out = path_to_utf8(folder_->path());
    row.lock = path_to_utf8(folder_->lock());
    store_->create_run(row);
    channel_ = std::make_unique<RunChannel>(folder_->id(), folder_->path(), far_, nobody_);
  }
  void add_steps(std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i <= to; ++i) {
      StepRow step;
      step.step = i;
      step.loss = 1.0 / static_cast<double>(i);
      store_->add_step(folder_->id(), step);
    }
    store_->flush();
  }
  void finish() {
    store_->set_state(folder_->id(), "finished");
    store_->flush();
    channel_->ended({.run_id = folder_->id(), .folder = folder_->path(), .steps = 5000});
    leave();
  }
  void leave() {
    channel_.reset();
    lock_.reset();
  }
  RunFailure failure_of_following(const KnownOfRun& known = {}) {
    try {
      follow_run(folder_->path(), known, near_, told_);
    } catch (...) {
      return classify(std::current_exception());
    }
    return {};
  }

  std::optional<RunFolder> folder_;
  std::optional<RunLock> lock_;
  std::unique_ptr<RunStore> store_;
  RunControl far_, near_;
  RunObserver nobody_;
  std::unique_ptr<RunChannel> channel_;
  Told told_;
};

TEST_F(FollowedRunTest, AllOfItIsTold) {
  add_steps(1, 4500);  // more than are read at a time
  store_->add_event(folder_->id(), LogLevel::info, Message::verbatim("hello"));
  store_->add_sample(folder_->id(), {.step = 10, .prompt = "a", .path = "/a.png"});
  store_->add_validation(folder_->id(), {.step = 20, .loss = 0.5});
  store_->add_pause(folder_->id(), {30, false});
  store_->flush();
  std::thread process([&] {
    std::this_thread::sleep_for(300ms);
    add_steps(4501, 5000);
    finish();
  });
  const RunResult result = follow_run(folder_->path(), {}, near_, told_);
  process.join();
  EXPECT_EQ(result.run_id, folder_->id());
  EXPECT_EQ(result.steps, 5000);
  EXPECT_EQ(told_.run, folder_->id());
  ASSERT_EQ(told_.steps.size(), 5000U);
  EXPECT_EQ(told_.steps.front(), 1);
  EXPECT_EQ(told_.steps.back(), 5000);
  EXPECT_EQ(told_.log, "hello\n");
  EXPECT_EQ(told_.samples, std::vector<std::int64_t>{10});
  EXPECT_EQ(told_.validations, std::vector<std::int64_t>{20});
  EXPECT_EQ(told_.pauses, 1);
}

/// Asked for by any program, also before the follower looked.
TEST_F(FollowedRunTest, ChangedSettingsAreTold) {
  Preset changed;
  changed.training.steps = 4000;
  channel_->on_settings(changed);
  std::thread process([&] {
    std::this_thread::sleep_for(500ms);
    changed.training.steps = 6000;
    channel_->on_settings(changed);
    finish();
  });
  follow_run(folder_->path(), {}, near_, told_);
  process.join();
  EXPECT_EQ(told_.steps_wanted, (std::vector<std::int64_t>{4000, 6000}));
}

TEST_F(FollowedRunTest, WhatIsKnownIsNotToldAgain) {
  add_steps(1, 20);
  store_->add_event(folder_->id(), LogLevel::info, Message::verbatim("old"));
  store_->add_sample(folder_->id(), {.step = 10, .prompt = "a", .path = "/a.png"});
  store_->flush();
  const std::int64_t event = RunReader(runs_database()).events(folder_->id()).back().id;
  std::thread process([&] {
    std::this_thread::sleep_for(300ms);
    add_steps(21, 22);
    store_->add_sample(folder_->id(), {.step = 22, .prompt = "a", .path = "/b.png"});
    store_->add_event(folder_->id(), LogLevel::info, Message::verbatim("new"));
    store_->flush();
    finish();
  });
  follow_run(folder_->path(), {.step = 20, .event = event}, near_, told_);
  process.join();
  EXPECT_EQ(told_.steps, (std::vector<std::int64_t>{21, 22}));
  EXPECT_EQ(told_.samples, std::vector<std::int64_t>{22});
  EXPECT_EQ(told_.log, "new\n");
}

TEST_F(FollowedRunTest, RequestsArriveAndThatItPausesIsKnown) {
  add_steps(1, 1);
  near_.request_save();
  told_.resumes = &near_;  // it was paused by someone else, and is resumed from here
  far_.request_pause();
  channel_->on_state(RunState::paused);
  std::thread process([&] {
    for (int i = 0; i < 200 && far_.pause_requested(); ++i) {
      std::this_thread::sleep_for(50ms);
    }
    finish();
  });
  follow_run(folder_->path(), {}, near_, told_);
  process.join();
  EXPECT_FALSE(far_.pause_requested());
  EXPECT_TRUE(far_.take_save_request());
}

TEST_F(FollowedRunTest, AProcessThatDiesIsTold) {
  add_steps(1, 3);
  std::thread process([&] {
    std::this_thread::sleep_for(200ms);
    leave();  // without a word
  });
  const RunFailure failure = failure_of_following();
  process.join();
  EXPECT_EQ(failure.kind, ErrorKind::rank_lost);
  EXPECT_THAT(failure.message.text(), testing::HasSubstr("is gone"));
  EXPECT_THAT(failure.message.text(), testing::HasSubstr(folder_->id()));
  EXPECT_EQ(told_.steps.size(), 3U);
}

TEST_F(FollowedRunTest, ItsFailureIsToldAsByItself) {
  channel_->failed(std::make_exception_ptr(
      Error(ErrorKind::out_of_memory, message<"the card has {bytes} bytes free">(5))));
  leave();
  const RunFailure failure = failure_of_following();
  EXPECT_EQ(failure.kind, ErrorKind::out_of_memory);
  EXPECT_EQ(failure.message.text(), "the card has 5 bytes free");
}

TEST_F(FollowedRunTest, LeftItGoesOn) {
  add_steps(1, 3);
  told_.leaves = &near_;
  told_.leave_at = 3;
  EXPECT_EQ(failure_of_following().kind, ErrorKind::interrupted);
  EXPECT_EQ(far_.stop_requested(), RunControl::Stop::none);
  EXPECT_TRUE(lock_.has_value());
}

TEST_F(FollowedRunTest, ALaunchTellsHowItBegan) {
  const RunLaunch launch = RunLaunch::create(job_.preset);
  EXPECT_FALSE(launch.is_starting());
  EXPECT_FALSE(launch.begun().has_value());
  {
    LaunchReport report(launch.report());
    EXPECT_TRUE(launch.is_starting());
    report.begun("run-1", folder_->path());
    EXPECT_FALSE(launch.is_starting());
    report.failed(std::make_exception_ptr(Error(message<"too late">())));
  }
  EXPECT_EQ(launch.begun().value().run_id, "run-1");
  EXPECT_EQ(launch.begun().value().folder, folder_->path());
  ASSERT_EQ(RunLaunch::all().size(), 1U);
  EXPECT_EQ(RunLaunch::all().front().folder(), launch.folder());
  launch.remove();
  EXPECT_TRUE(RunLaunch::all().empty());
  EXPECT_FALSE(fs::exists(launch.folder()));

  const RunLaunch refused = RunLaunch::create(job_.preset);
  LaunchReport(refused.report())
      .failed(std::make_exception_ptr(Error(ErrorKind::precision, message<"no">(), "Q9")));
  try {
    refused.begun();
    FAIL();
  } catch (...) {
    EXPECT_EQ(classify(std::current_exception()).id, "Q9");
  }
}

}  // namespace
}  // namespace mantissa
