#include "tests/gui/ChaosTest.h"

#include <QFile>
#include <QPushButton>
#include <QtTest>
#include <atomic>
#include <random>
#include <thread>

#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunQueue.h"
#include "tests/gui/TestSession.h"

#ifdef __linux__
#include <malloc.h>
#include <unistd.h>
#endif

namespace mantissa::gui {
namespace {

/// An engine whose runs each fail differently, reproducibly.
FakeEngine troubled(std::uint32_t seed) {
  std::mt19937 rng(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<int>(rng() % n); };
  FakeEngine fake;
  fake.steps = 5 + below(200);
  fake.per_step = std::chrono::microseconds(50 + below(300));
  fake.preparing = std::chrono::milliseconds(below(4));
  fake.health_every = below(2) * 7;
  switch (below(6)) {
    case 0:
      fake.nan_step = 3 + below(40);
      break;
    case 1:
      fake.fail_step = 3 + below(40);
      break;
    case 2:
      fake.stall_step = 2 + below(20);
      fake.stall = std::chrono::milliseconds(5 + below(20));
      break;
    case 3:
      fake.slow_stop = std::chrono::milliseconds(5 + below(25));
      break;
    case 4:
      fake.announces_pausing = false;
      fake.save_every = 3;
      break;
    default:
      break;
  }
  return fake;
}

std::int64_t resident_kb() {
#ifdef __linux__
  malloc_trim(0);  // what is freed counts as free, however the threads have split it
  QFile file(QStringLiteral("/proc/self/statm"));
  if (file.open(QIODevice::ReadOnly)) {
    const QList<QByteArray> parts = file.readAll().split(' ');
    return parts.value(1).toLongLong() * sysconf(_SC_PAGESIZE) / 1024;
  }
#endif
  return 0;
}

}  // namespace

void ChaosTest::thousands_of_clicks() {
  TestSession t{FakeEngine{}};
  auto runs = std::make_shared<std::atomic<std::uint32_t>>(0);
  t.session.reset();
  SessionOptions options;
  options.runner = [runs](const JobSpec& job, RunControl& control, RunObserver& observer) {
    return troubled(runs->fetch_add(1))(job, control, observer);
  };
  options.planner = FakeEngine::plan;
  options.settings_file = t.folder.filePath(QStringLiteral("studio.ini"));
  std::mt19937 answers(7);
  options.questions.how_to_stop = [&answers, dialog = options.questions.how_to_stop](
                                      QWidget* parent, const QString& text,
                                      auto answered) -> QWidget* {
    switch (answers() % 3) {
      case 0:
        answered(WindowQuestions::Stop::save);
        return nullptr;
      case 1:
        answered(WindowQuestions::Stop::discard);
        return nullptr;
      default:
        return dialog(parent, text, answered);  // nobody answers this one
    }
  };
  Session session(*qobject_cast<QApplication*>(qApp), std::move(options));
  MainWindow& window = session.window();
  EngineClient& engine = session.engine();
  window.show();
  RunActions* a = window.actions();
  RunBar* bar = window.run_bar();
  // Setup already has the demo: the settings are those of the previous session.
  QAction* const targets[] = {a->start,     a->start, a->pause,  a->pause, a->stop,
                              a->stop_save, a->save,  a->sample, a->check, a->apply_live};
  std::mt19937 rng(20);
  int clicks = 0, ends = 0;
  connect(&engine, &EngineClient::ended, this, [&](const RunEnd&) { ++ends; });
  const int wanted = qEnvironmentVariableIsSet("MANTISSA_CLICKS")
                         ? qEnvironmentVariableIntValue("MANTISSA_CLICKS")
                         : 3'000;
  while (clicks < wanted) {
    QAction* target = targets[rng() % std::size(targets)];
    if (QPushButton* button = bar->button(target)) {
      button->click();
    } else {
      target->trigger();
    }
    ++clicks;
    if (rng() % 7 == 0) {
      session.document().edit("training.steps", 50 + static_cast<int>(rng() % 100));
    }
    if (rng() % 4 == 0) {
      QTest::qWait(static_cast<int>(rng() % 4));
    } else {
      QCoreApplication::processEvents();
    }
    // The display never contradicts the run.
    const RunState shown = engine.shown_state();
    const bool over =
        shown == RunState::idle || shown == RunState::finished || shown == RunState::failed;
    QCOMPARE(over, !engine.is_running());
    QCOMPARE(a->start->isEnabled(), over);
    if (shown == RunState::stopping) {
      QVERIFY(!a->pause->isEnabled() && !a->stop->isEnabled());
    }
  }
  // The run can be ended from any state.
  if (engine.is_running()) {
    engine.request_stop(RunControl::Stop::discard);
  }
  QVERIFY(QTest::qWaitFor([&] { return !engine.is_running() && !engine.is_checking(); }, 10000));
  QVERIFY(a->start->isEnabled());
  qInfo("%d clicks, %u runs, %d ends", clicks, runs->load(), ends);
  QCOMPARE(static_cast<std::uint32_t>(ends), runs->load());
  QVERIFY(ends > wanted / 200);
}

void ChaosTest::refusal_to_stop_is_waited_for() {
  auto let_go = std::make_shared<std::atomic<bool>>(false);
  FakeEngine fake;
  fake.steps = 1'000'000;
  TestSession t{fake};
  t.session.reset();
  SessionOptions options;
  options.runner = [=](const JobSpec& job, RunControl& control, RunObserver& observer) {
    observer.on_state(RunState::training);
    while (!*let_go) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    throw Error(ErrorKind::interrupted, Message::verbatim("stopped after step 1."));
    return RunResult{};
  };
  options.settings_file = t.folder.filePath(QStringLiteral("studio.ini"));
  Session session(*qobject_cast<QApplication*>(qApp), std::move(options));
  session.window().show();
  EngineClient& engine = session.engine();
  session.window().actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return engine.state() == RunState::training; }));
  session.window().actions()->stop->trigger();
  // The window stays responsive and shows what it waits for; nothing is aborted.
  int beats = 0;
  QTimer timer;
  connect(&timer, &QTimer::timeout, this, [&] { ++beats; });
  timer.start(10);
  QTest::qWait(600);
  QVERIFY(beats > 20);
  QVERIFY(engine.is_running());
  QCOMPARE(engine.shown_state(), RunState::stopping);
  QVERIFY(session.window().run_bar()->details().contains(QStringLiteral("finishing step")));
  *let_go = true;
  QVERIFY(QTest::qWaitFor([&] { return !engine.is_running(); }));
}

void ChaosTest::thousand_cycles_leave_nothing() {
  FakeEngine fake;
  fake.steps = 1'000'000;
  fake.per_step = std::chrono::microseconds(100);
  fake.health_every = 5;
  TestSession t{fake};
  t.show();
  std::int64_t warm = 0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    t.window().actions()->start->trigger();
    QVERIFY(QTest::qWaitFor([&] { return t.engine().state() == RunState::training; }));
    (cycle % 2 == 0 ? t.window().actions()->stop : t.window().actions()->stop_save)->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_running(); }));
    if (cycle == 200) {
      warm = resident_kb();
    }
  }
  const std::int64_t grown = resident_kb() - warm;
  qInfo("800 cycles after the first 200: resident memory %+lld KB", static_cast<long long>(grown));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  QVERIFY2(grown < 8 * 1024, qPrintable(QString::number(grown)));
#endif
}

}  // namespace mantissa::gui
