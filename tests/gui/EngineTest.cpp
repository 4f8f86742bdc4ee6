#include "tests/gui/EngineTest.h"

#include <QtTest>
#include <chrono>
#include <thread>

#include "engine/core/error.h"
#include "gui/base/EngineText.h"
#include "gui/engine/EngineClient.h"
#include "tests/gui/FakeEngine.h"

namespace mantissa::gui {
namespace {

/// A client on a scripted engine, with all its signals.
struct Client {
  EngineClient engine;
  std::vector<RunState> states;
  std::vector<RunEnd> ends;
  QVector<LogLine> lines;
  int log_signals = 0;

  explicit Client(Runner runner) : engine(std::move(runner), FakeEngine::plan) {
    QObject::connect(&engine, &EngineClient::state_changed,
                     [this] { states.push_back(engine.shown_state()); });
    QObject::connect(&engine, &EngineClient::ended,
                     [this](const RunEnd& end) { ends.push_back(end); });
    QObject::connect(&engine, &EngineClient::logged, [this](const QVector<LogLine>& more) {
      ++log_signals;
      lines += more;
    });
  }
  bool reach(RunState state) {
    return QTest::qWaitFor([&] { return engine.state() == state; }, 5000);
  }
  bool reach_end() {
    return QTest::qWaitFor([&] { return !ends.empty(); }, 5000);
  }
  bool was(RunState state) const {
    return std::find(states.begin(), states.end(), state) != states.end();
  }
};

}  // namespace

void EngineTest::runs_to_the_end() {
  Client c{FakeEngine{}};
  QCOMPARE(c.engine.state(), RunState::idle);
  QVERIFY(c.engine.start({}));
  QVERIFY(!c.engine.start({}));
  QVERIFY(c.reach_end());
  QCOMPARE(c.ends[0].how, RunEnd::How::completed);
  QCOMPARE(c.ends[0].result.steps, std::int64_t{50});
  QCOMPARE(c.engine.state(), RunState::finished);
  QVERIFY(c.was(RunState::preparing) && c.was(RunState::training));
  std::vector<StepRecord> steps;
  c.engine.ring().drain(steps);
  QCOMPARE(steps.size(), std::size_t{50});
  // And once more.
  QVERIFY(c.engine.start({}));
  QVERIFY(QTest::qWaitFor([&] { return c.ends.size() == 2; }));
}

void EngineTest::pause_is_acknowledged() {
  FakeEngine fake = endless_engine();
  fake.slow_stop = std::chrono::milliseconds(150);
  fake.announces_pausing = false;
  Client c{fake};
  c.engine.start({});
  QVERIFY(c.reach(RunState::training));
  c.engine.request_pause();
  QCOMPARE(c.engine.state(), RunState::training);
  QCOMPARE(c.engine.shown_state(), RunState::pausing);
  QTest::qWait(60);
  QCOMPARE(c.engine.shown_state(), RunState::pausing);
  QVERIFY(c.engine.waiting_seconds() > 0.04);
  QVERIFY(c.reach(RunState::paused));
  QCOMPARE(c.engine.waiting_seconds(), 0.0);
  std::vector<StepRecord> steps;
  c.engine.ring().drain(steps);
  steps.clear();
  QTest::qWait(60);
  QCOMPARE(c.engine.ring().drain(steps), std::size_t{0});
  c.engine.request_resume();
  QVERIFY(c.reach(RunState::training));
  QVERIFY(QTest::qWaitFor([&] { return c.engine.ring().drain(steps) > 0; }));
  c.engine.request_stop(RunControl::Stop::discard);
  QVERIFY(c.reach_end());
}

void EngineTest::stop_while_paused() {
  Client c{endless_engine()};
  c.engine.start({});
  QVERIFY(c.reach(RunState::training));
  c.engine.request_pause();
  QVERIFY(c.reach(RunState::paused));
  c.engine.request_save();
  QVERIFY(QTest::qWaitFor([&] { return !c.engine.last_saved().isEmpty(); }));
  QCOMPARE(c.engine.state(), RunState::paused);
  c.engine.request_stop(RunControl::Stop::discard);
  QVERIFY(c.reach_end());
  QCOMPARE(c.ends[0].how, RunEnd::How::stopped);
}

void EngineTest::slow_stop_shows_stopping() {
  FakeEngine fake = endless_engine();
  fake.slow_stop = std::chrono::milliseconds(200);
  Client c{fake};
  c.engine.start({});
  QVERIFY(c.reach(RunState::training));
  c.engine.request_stop(RunControl::Stop::discard);
  QCOMPARE(c.engine.shown_state(), RunState::stopping);
  QVERIFY(c.engine.is_running());
  QTest::qWait(80);
  QVERIFY(c.engine.is_running());
  QVERIFY(c.reach_end());
  QCOMPARE(c.engine.state(), RunState::finished);
}

void EngineTest::stop_and_save_reports_checkpoint() {
  Client c{endless_engine()};
  c.engine.start({});
  QVERIFY(c.reach(RunState::training));
  c.engine.request_stop(RunControl::Stop::save);
  QVERIFY(c.reach_end());
  QCOMPARE(c.ends[0].how, RunEnd::How::stopped);
  QVERIFY(message_text(c.ends[0].failure.message).contains(QStringLiteral("saved")));
  QVERIFY(c.engine.last_saved().contains(QStringLiteral("step-")));
}

void EngineTest::cancel_while_preparing() {
  FakeEngine fake = endless_engine();
  fake.preparing = std::chrono::milliseconds(4000);
  Client c{fake};
  QElapsedTimer timer;
  timer.start();
  c.engine.start({});
  QTest::qWait(30);
  c.engine.request_stop(RunControl::Stop::discard);
  QVERIFY(c.reach_end());
  QVERIFY(timer.elapsed() < 2000);
  QVERIFY(!c.was(RunState::training));
}

void EngineTest::failure_keeps_message_and_checkpoint() {
  FakeEngine fake;
  fake.fail_step = 30;
  fake.save_every = 10;
  Client c{fake};
  c.engine.start({});
  QVERIFY(c.reach_end());
  QCOMPARE(c.ends[0].how, RunEnd::How::failed);
  QCOMPARE(c.ends[0].failure.kind, ErrorKind::non_finite);
  QCOMPARE(message_text(c.ends[0].failure.message), QString::fromUtf8(fake.failure.what()));
  QCOMPARE(c.engine.last_saved_step(), std::int64_t{20});
  QCOMPARE(c.engine.state(), RunState::failed);
}

void EngineTest::foreign_exception_is_a_failure() {
  Client c{[](const JobSpec&, RunControl&, RunObserver&) -> RunResult {
    throw std::runtime_error("surprise");
  }};
  c.engine.start({});
  QVERIFY(c.reach_end());
  QCOMPARE(c.ends[0].how, RunEnd::How::failed);
  QVERIFY(message_text(c.ends[0].failure.message).contains(QStringLiteral("surprise")));
  Client other{[](const JobSpec&, RunControl&, RunObserver&) -> RunResult { throw 5; }};
  other.engine.start({});
  QVERIFY(other.reach_end());
  QVERIFY(!other.ends[0].failure.message.empty());
}

void EngineTest::log_flood_is_batched() {
  Client c{[](const JobSpec&, RunControl&, RunObserver& observer) {
    for (int i = 0; i < 20000; ++i) {
      observer.on_log(LogLevel::info, Message::verbatim("line " + std::to_string(i)));
    }
    return RunResult{};
  }};
  c.engine.start({});
  QVERIFY(c.reach_end());
  QCOMPARE(c.lines.front().text.text(), std::string("line 0"));
  QVERIFY2(c.log_signals < 2000, "lines must travel together");
  if (c.lines.size() < 20000) {
    QVERIFY(std::any_of(c.lines.begin(), c.lines.end(), [](const LogLine& l) {
      return message_text(l.text).contains(QStringLiteral("log.txt"));
    }));
  }
}

void EngineTest::check_then_start() {
  Client c{FakeEngine{}};
  QSignalSpy plans(&c.engine, &EngineClient::checked), bad(&c.engine, &EngineClient::check_failed);
  JobSpec job;
  QVERIFY(c.engine.check(job));
  QVERIFY(!c.engine.check(job));
  QVERIFY(c.engine.start(job));  // waits for the check to end
  QVERIFY(c.reach_end());
  QCOMPARE(plans.count(), 1);
  job.base = "missing";
  QVERIFY(c.engine.check(job));
  QVERIFY(QTest::qWaitFor([&] { return bad.count() == 1; }));
  QVERIFY(!c.engine.is_checking());
}

void EngineTest::destructor_stops_the_run() {
  QElapsedTimer timer;
  timer.start();
  {
    Client c{endless_engine()};
    c.engine.start({});
    QVERIFY(c.reach(RunState::training));
  }
  QVERIFY(timer.elapsed() < 3000);
}

void EngineTest::destructor_leaves_a_run_apart() {
  auto stop = RunControl::Stop::discard;
  {
    Client c{endless_engine()};
    c.engine.set_apart_runner(
        [&stop](const JobSpec&, RunControl& control, RunObserver& observer) -> RunResult {
          observer.on_state(RunState::training);
          while (!control.leave_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          // What follows the run may be passing on requests just now.
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          stop = control.stop_requested();
          throw Error(ErrorKind::interrupted, Message::verbatim("left"));
        });
    QVERIFY(c.engine.start_apart({}));
    QVERIFY(c.reach(RunState::training));
  }
  QVERIFY(stop == RunControl::Stop::none);
}

}  // namespace mantissa::gui
