// Communication from the engine's thread to the window's without Qt: the ring buffer of steps, the
// mailboxes, and the requests. Small enough to be built alone with ThreadSanitizer:
// cmake -DMANTISSA_SANITIZE=thread … && ninja gui_thread_tests

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "gui/engine/Mailbox.h"
#include "gui/engine/StepRing.h"
#include "tests/gui/FakeEngine.h"

namespace mantissa::gui {
namespace {

/// The window's end: drains everything while the engine runs.
struct Window {
  StepRing ring;
  Mailbox<HealthRecord> health{100'000};
  Mailbox<NonFiniteReport> reports{256};
  Mailbox<LogLine> lines{64};
  std::vector<StepRecord> steps;
  std::int64_t health_seen = 0, health_lost = 0, reports_seen = 0, lines_seen = 0;

  void drain() {
    ring.drain(steps);
    const auto [records, lost] = health.take();
    health_seen += records.size();
    health_lost += lost;
    reports_seen += reports.take().first.size();
    const auto [more, lost_lines] = lines.take();
    lines_seen += more.size() + lost_lines;
  }
};

/// The engine's end, as EngineClient's relay does it.
class Sender : public RunObserver {
 public:
  explicit Sender(Window& window) : window_(window) {}
  void on_state(RunState state) override { this->state = state; }
  void on_step(const StepRecord& r) override { window_.ring.push(r); }
  void on_health(const HealthRecord& r) override {
    window_.health.put(r, static_cast<qsizetype>(r.rows.size()));
  }
  void on_non_finite(const NonFiniteReport& r) override { window_.reports.put(r); }
  void on_log(LogLevel level, const Message& text) override { window_.lines.put({level, text}); }
  std::atomic<RunState> state{RunState::idle};

 private:
  Window& window_;
};

TEST(Threads, EverythingArrivesWhileTheWindowDrains) {
  FakeEngine fake;
  fake.steps = 20000;
  fake.per_step = std::chrono::microseconds(0);
  fake.health_every = 100;
  fake.nan_step = 500;
  auto window = std::make_unique<Window>();
  Sender sender(*window);
  RunControl control;
  std::atomic<bool> done{false};
  std::thread engine([&] {
    fake(JobSpec{}, control, sender);
    done = true;
  });
  while (!done) {
    window->drain();
  }
  engine.join();
  window->drain();
  EXPECT_EQ(window->steps.size() + window->ring.dropped(), 20000u);
  EXPECT_EQ(window->health_seen + window->health_lost, 201);
  EXPECT_EQ(window->reports_seen, 1);
  EXPECT_GE(window->lines_seen, 2);
  for (std::size_t i = 1; i < window->steps.size(); ++i) {
    ASSERT_LT(window->steps[i - 1].step, window->steps[i].step);
  }
}

TEST(Threads, ThousandRunsStartPauseAndStop) {
  FakeEngine fake;
  fake.steps = 1'000'000;
  fake.per_step = std::chrono::microseconds(20);
  fake.health_every = 10;
  auto window = std::make_unique<Window>();
  for (int cycle = 0; cycle < 1000; ++cycle) {
    RunControl control;
    Sender sender(*window);
    window->ring.reset();
    std::thread engine([&] {
      try {
        fake(JobSpec{}, control, sender);
        ADD_FAILURE() << "the run was not stopped";
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::interrupted);
      }
    });
    while (sender.state != RunState::training) {
      std::this_thread::yield();
    }
    if (cycle % 3 != 0) {
      control.request_pause();
      while (sender.state != RunState::paused) {
        window->drain();
      }
      control.request_save();
      control.request_sample();
      Preset changed;
      changed.training.steps = 900'000 + cycle;
      control.request_settings(changed);
      if (cycle % 3 == 1) {
        control.request_resume();
      }
    }
    control.request_stop(cycle % 2 == 0 ? RunControl::Stop::discard : RunControl::Stop::save);
    engine.join();
    window->drain();
  }
}

}  // namespace
}  // namespace mantissa::gui
