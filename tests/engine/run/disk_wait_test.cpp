// Writers waiting for disk space: what wakes them and what ends the wait.
#include "engine/run/disk_wait.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNever = std::uint64_t{1} << 60;

/// Answers the first full disk with `answer`, the next with `next` if set.
class Answerer : public RunObserver {
 public:
  explicit Answerer(std::function<void()> answer, std::function<void()> next = {})
      : answers_{std::move(answer), std::move(next)} {}
  void on_disk_full(const FullDisk& full) override {
    reports.push_back(full);
    const std::size_t i = reports.size() - 1;
    // From another thread, as a window or a signal would.
    if (i < answers_.size() && answers_[i]) {
      thread_ = std::jthread([this, i] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        answers_[i]();
      });
    }
  }
  void on_state(RunState state) override { states.push_back(state); }
  void on_log(LogLevel level, const Message& line) override { log += line.text(); }
  std::vector<FullDisk> reports;
  std::vector<RunState> states;
  std::string log;

 private:
  std::vector<std::function<void()>> answers_;
  std::jthread thread_;
};

/// Finds no room the first `failures` times.
struct Writer {
  int failures = 1, calls = 0;
  fs::path folder = fs::temp_directory_path() / "run/checkpoints";
  void operator()() {
    if (++calls <= failures) {
      throw DiskFull(folder, kNever, Message::verbatim("no room"));
    }
  }
};

TEST(DiskWait, RetriesWhenAskedAndTellsTheStates) {
  RunControl control;
  Answerer observer([&] { control.request_retry(); });
  DiskWait disk(control, observer, OnFullDisk::wait);
  disk.set_state(RunState::training);
  disk.set_step(7);
  Writer writer;
  disk.keep(std::ref(writer));
  EXPECT_EQ(writer.calls, 2);
  EXPECT_EQ(observer.states, (std::vector{RunState::paused, RunState::training}));
  EXPECT_EQ(observer.reports.at(0).needed, kNever);
  EXPECT_EQ(observer.reports.at(0).step, 7);
  EXPECT_FALSE(observer.reports.at(0).movable);
  const std::optional<DiskWait::Ended> ended = disk.take_ended();
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->step, 7);
  EXPECT_GT(ended->waited.count(), 0);
  EXPECT_EQ(ended->folder, writer.folder);
  EXPECT_FALSE(disk.take_ended().has_value());
}

TEST(DiskWait, AStopThatCameBeforeStillWaits) {
  RunControl control;
  control.request_stop(RunControl::Stop::save);
  Answerer observer([&] { control.request_retry(); });
  DiskWait disk(control, observer, OnFullDisk::wait);
  Writer writer;
  disk.keep(std::ref(writer));
  EXPECT_EQ(writer.calls, 2);
}

TEST(DiskWait, AStopWhileWaitingTriesOnceMoreAndEnds) {
  RunControl control;
  Answerer observer([&] { control.request_stop(RunControl::Stop::save); });
  DiskWait disk(control, observer, OnFullDisk::wait);
  Writer writer{.failures = 5};
  EXPECT_THROW(disk.keep(std::ref(writer)), DiskFull);
  EXPECT_EQ(writer.calls, 2);
  EXPECT_TRUE(disk.gave_up());
  EXPECT_THROW(disk.keep(std::ref(writer)), DiskFull) << "and no later write waits again";
  EXPECT_EQ(writer.calls, 3);
  Writer fits{.failures = 0};
  disk.keep(std::ref(fits));
}

TEST(DiskWait, StopsAtOnceWhereTheJobOrACloserSaysSo) {
  RunControl control, closing;
  Answerer observer({});
  Writer writer{.failures = 5}, other{.failures = 5};
  DiskWait stops(control, observer, OnFullDisk::stop);
  EXPECT_THROW(stops.keep(std::ref(writer)), DiskFull);
  closing.refuse_waits();
  DiskWait refused(closing, observer, OnFullDisk::wait);
  EXPECT_THROW(refused.keep(std::ref(other)), DiskFull);
  EXPECT_EQ(writer.calls + other.calls, 2);
  EXPECT_TRUE(observer.reports.empty());
}

TEST(DiskWait, ClosingEndsAWaitThatIsGoingOn) {
  RunControl control;
  Answerer observer([&] {
    control.refuse_waits();
    control.request_stop(RunControl::Stop::save);
  });
  DiskWait disk(control, observer, OnFullDisk::wait);
  Writer writer{.failures = 5};
  EXPECT_THROW(disk.keep(std::ref(writer)), DiskFull);
}

TEST(DiskWait, MovesOrSaysWhyNotAndWaitsOn) {
  RunControl control;
  Answerer observer([&] { control.request_folder("/bad"); },
                    [&] { control.request_folder("/good"); });
  DiskWait disk(control, observer, OnFullDisk::wait);
  Writer writer;
  fs::path moved;
  disk.allow_move(writer.folder.parent_path(), [&](const fs::path& to) {
    if (to == "/bad") {
      throw Error(Message::verbatim("/bad can't be written"));
    }
    moved = to;
  });
  disk.keep(std::ref(writer));
  EXPECT_EQ(moved, "/good");
  ASSERT_EQ(observer.reports.size(), 2U);
  EXPECT_TRUE(observer.reports[0].movable && observer.reports[1].movable);
  EXPECT_EQ(observer.log, "/bad can't be written");
}

TEST(DiskWait, OtherErrorsPassThrough) {
  RunControl control;
  Answerer observer({});
  DiskWait disk(control, observer, OnFullDisk::wait);
  EXPECT_THROW(disk.keep([] { throw Error(Message::verbatim("something else")); }), Error);
  EXPECT_TRUE(observer.reports.empty());
}

}  // namespace
}  // namespace mantissa
