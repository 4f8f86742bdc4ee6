// Requests to a run of another process, and what it shows of itself.
#include "engine/run/run_channel.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "engine/core/error.h"
#include "engine/io/run_lock.h"
#include "engine/preset/preset_io.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

class RunChannelTest : public testing::Test {
 protected:
  /// As a process that trains the run has them.
  void begin() {
    lock_.emplace(folder_.path() / "run.lock");
    channel_ = std::make_unique<RunChannel>("run-1", folder_.path(), control_, nobody_);
  }
  void end() {
    channel_.reset();
    lock_.reset();
  }
  /// Why a request fails; empty if it doesn't.
  std::string refusal(std::string_view request, std::chrono::milliseconds patience = 10s) const {
    try {
      ask_run(folder_.path(), request, patience);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  bool no_requests() const { return !fs::exists(requests()) || fs::is_empty(requests()); }
  fs::path requests() const { return folder_.path() / "requests"; }
  void leave_request(const std::string& to, const std::string& request) const {
    fs::create_directories(requests());
    std::ofstream(requests() / "left.ask")
        << nlohmann::json{{"to", to}, {"request", request}}.dump();
  }

  test::TempFolder folder_;
  RunControl control_;
  RunObserver nobody_;
  std::optional<RunLock> lock_;
  std::unique_ptr<RunChannel> channel_;
};

TEST_F(RunChannelTest, RequestsReachTheRun) {
  begin();
  ask_run(folder_.path(), "pause");
  EXPECT_TRUE(control_.pause_requested());
  ask_run(folder_.path(), "resume");
  EXPECT_FALSE(control_.pause_requested());
  ask_run(folder_.path(), "save");
  EXPECT_TRUE(control_.take_save_request());
  EXPECT_FALSE(control_.take_sample_request());
  Preset preset;
  preset.training.steps = 77;
  ask_run(folder_.path(),
          "settings " + nlohmann::json::parse(to_json(preset, WriteMode::full)).dump());
  EXPECT_EQ(control_.take_settings().value().training.steps, 77);
  ask_run(folder_.path(), "stop");
  EXPECT_EQ(control_.stop_requested(), RunControl::Stop::save);
  EXPECT_TRUE(no_requests()) << "a request and its answer are removed";
}

TEST_F(RunChannelTest, TwoAtOnceAreBothAnswered) {
  begin();
  std::string first, second;
  std::thread other([&] { first = refusal("save"); });
  second = refusal("sample");
  other.join();
  EXPECT_EQ(first, "");
  EXPECT_EQ(second, "");
  EXPECT_TRUE(control_.take_save_request());
  EXPECT_TRUE(control_.take_sample_request());
}

TEST_F(RunChannelTest, ARunWithoutProcessTakesNone) {
  EXPECT_THAT(refusal("save"), HasSubstr("no process trains the run in"));
  begin();
  end();
  EXPECT_THAT(refusal("save"), HasSubstr("--resume"));
  EXPECT_TRUE(no_requests());
  lock_.emplace(folder_.path() / "run.lock");
  fs::remove(folder_.path() / "status.jsonl");
  EXPECT_THAT(refusal("save"), HasSubstr("of an earlier version"));
}

TEST_F(RunChannelTest, RequestsToAnEarlierProcessAreNeverFollowed) {
  begin();
  const std::string earlier = read_status(folder_.path()).value().owner;
  end();
  leave_request(earlier, "stop");
  begin();
  EXPECT_NE(read_status(folder_.path()).value().owner, earlier);
  EXPECT_TRUE(no_requests());
  ask_run(folder_.path(), "save");  // by then all earlier ones were read
  EXPECT_EQ(control_.stop_requested(), RunControl::Stop::none);
  // Written while the new process trains already.
  leave_request(earlier, "stop");
  ask_run(folder_.path(), "save");
  for (int i = 0; i < 100 && !fs::exists(requests() / "left.answer"); ++i) {
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(control_.stop_requested(), RunControl::Stop::none);
  EXPECT_TRUE(fs::exists(requests() / "left.answer"));
  EXPECT_FALSE(fs::exists(requests() / "left.ask"));
}

/// The status is the earlier process's until the one that has just taken the lock writes its own.
TEST_F(RunChannelTest, WhoAskedAnEarlierProcessIsToldAtOnce) {
  begin();
  end();
  lock_.emplace(folder_.path() / "run.lock");
  std::string told;
  std::thread asking([&] { told = refusal("save", 600s); });
  while (no_requests()) {
    std::this_thread::sleep_for(5ms);
  }
  channel_ = std::make_unique<RunChannel>("run-1", folder_.path(), control_, nobody_);
  asking.join();
  EXPECT_EQ(told, "another process trains the run by now; ask again");
  EXPECT_FALSE(control_.take_save_request());
}

TEST_F(RunChannelTest, AnythingElseIsRefusedWithTheReason) {
  begin();
  EXPECT_THAT(refusal("stopp"), HasSubstr("'stopp' is no request to a run"));
  fs::create_directories(requests());
  std::ofstream(requests() / "broken.ask") << "{";
  std::ofstream(requests() / "list.ask") << "[]";
  ask_run(folder_.path(), "pause");
  EXPECT_TRUE(control_.pause_requested());
}

TEST_F(RunChannelTest, ARequestWithoutAnswerIsWithdrawn) {
  begin();
  end();
  lock_.emplace(folder_.path() / "run.lock");  // a process that hangs
  EXPECT_THAT(refusal("save", 200ms), HasSubstr("has not answered"));
  EXPECT_TRUE(no_requests());
  std::thread ends([&] {
    std::this_thread::sleep_for(100ms);
    lock_.reset();
  });
  EXPECT_THAT(refusal("save", 20s), HasSubstr("no process trains the run"));
  ends.join();
  EXPECT_TRUE(no_requests());
}

TEST_F(RunChannelTest, AMovedRunIsAskedWhereItIs) {
  begin();
  const fs::path moved = folder_.path() / "moved";
  fs::create_directories(moved);
  const RunLock lock(moved / "run.lock");
  channel_->on_begun("run-1", moved);
  ask_run(moved, "pause");
  EXPECT_TRUE(control_.pause_requested());
  const RunStatus left = read_status(folder_.path()).value();
  EXPECT_THAT(left.lines, testing::Contains(HasSubstr("moved")));
}

TEST_F(RunChannelTest, TheStatusHasTheLatestOfEachKind) {
  begin();
  channel_->on_state(RunState::preparing);
  channel_->on_progress(RunPhase::caching, 3, 9);
  channel_->on_progress(RunPhase::caching, 9, 9);
  channel_->on_disk_full({.folder = "/mnt", .step = 4});
  channel_->on_state(RunState::training);
  channel_->on_progress(RunPhase::training, 1, 50);
  channel_->on_progress(RunPhase::training, 2, 50);
  channel_->ended({.run_id = "run-1", .steps = 50});
  end();
  const RunStatus status = read_status(folder_.path()).value();
  std::vector<std::string> events;
  for (const std::string& line : status.lines) {
    const auto json = nlohmann::json::parse(line);
    events.push_back(json.at("event"));
    if (events.back() == "state") {
      EXPECT_EQ(json.at("state"), "training");
    } else if (events.back() == "progress") {
      EXPECT_EQ(json.at("phase"), "training");
      EXPECT_EQ(json.at("done"), 1) << "the steps are in the database";
    }
  }
  EXPECT_THAT(events, testing::ElementsAre("begun", "ended", "progress", "state"));
}

}  // namespace
}  // namespace mantissa
