// QueueTest: several cards, with a run on each.
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <map>
#include <mutex>

#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/split_run.h"
#include "gui/engine/AppSettings.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunQueue.h"
#include "tests/gui/QueueTest.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

using State = QueuedRun::State;

/// A queue for three cards; notes who ran where, and how many at once.
struct CardsBench {
  QTemporaryDir folder;
  AppSettings settings{folder.filePath(QStringLiteral("s.ini"))};
  std::atomic<int> now{0}, most{0};
  std::mutex mutex;
  std::map<std::string, std::string> device;  ///< by the run's name
  Runner runner = [this](const JobSpec& job, RunControl& control, RunObserver& o) {
    struct Leave {
      std::atomic<int>& n;
      ~Leave() { n.fetch_sub(1); }
    } leave{now};
    most = std::max(most.load(), now.fetch_add(1) + 1);
    {
      const std::lock_guard lock(mutex);
      device[job.preset.name] = job.device;
    }
    FakeEngine fake;
    fake.steps = job.preset.training.steps;
    return fake(job, control, o);
  };
  EngineClient engine{runner, FakeEngine::plan};
  RunQueue queue{&engine, &settings, runner};

  CardsBench() {
    settings.set_device(QStringLiteral("cuda:0,2,3"));
    settings.set_card_use(CardUse::each);
    QObject::connect(&queue, &RunQueue::start_requested, &engine,
                     [this](const JobSpec& job) { engine.start(job); });
  }
  void add(const char* name, std::int64_t steps) {
    JobSpec job = QueueTest::job_named(name);
    job.preset.training.steps = steps;
    job.device = "cuda:0";
    queue.add(job);
  }
  bool ended() {
    return QTest::qWaitFor([&] { return !engine.is_running() && queue.running_beside() == 0; },
                           10000);
  }
};

}  // namespace

void QueueTest::each_card_has_a_run() {
  CardsBench b;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    b.add(name, 700);
  }
  b.queue.set_on(true);
  QVERIFY(b.engine.is_running());
  QCOMPARE(b.queue.running_beside(), 2);
  QCOMPARE(b.queue.waiting(), 2);
  QVERIFY(QTest::qWaitFor([&] {
    const QString state = b.queue.index(1, RunQueue::state).data().toString();
    return state.startsWith(QStringLiteral("Step ")) && state.endsWith(QStringLiteral("on cuda:2"));
  }));
  QVERIFY(b.ended());
  QTest::qWait(20);
  QVERIFY(b.ended());
  QVERIFY(!b.queue.is_on());
  QCOMPARE(b.most.load(), 3);
  QCOMPARE(b.device["a"], std::string("cuda:0"));
  QCOMPARE(b.device["b"], std::string("cuda:2"));
  QCOMPARE(b.device["c"], std::string("cuda:3"));
  for (const QueuedRun& run : b.queue.runs()) {
    QCOMPARE(run.state, State::finished);
    QVERIFY(run.message.contains(QStringLiteral("lora.safetensors")));
  }
  // Without it, or with one card, runs follow one another on their own devices.
  b.settings.set_card_use(CardUse::together);
  b.most = 0;
  b.queue.remove_ended();
  b.add("x", 10);
  b.add("y", 10);
  b.queue.set_on(true);
  QCOMPARE(b.queue.running_beside(), 0);
  QVERIFY(QTest::qWaitFor([&] { return !b.queue.is_on(); }));
  QCOMPARE(b.most.load(), 1);
}

void QueueTest::a_run_beside_is_stopped_alone() {
  CardsBench b;
  for (const char* name : {"a", "b", "c", "d"}) {
    b.add(name, 1'000'000);
  }
  b.queue.set_on(true);
  QVERIFY(QTest::qWaitFor([&] { return b.now == 3; }));
  QVERIFY(!b.queue.remove(1));
  b.queue.stop(1);
  QVERIFY(QTest::qWaitFor([&] { return b.queue.runs()[1].state == State::stopped; }));
  // It holds the queue; the others train on.
  QVERIFY(!b.queue.is_on());
  QCOMPARE(b.queue.runs()[3].state, State::waiting);
  QVERIFY(b.engine.is_running());
  QCOMPARE(b.queue.running_beside(), 1);
  b.queue.stop(0);
  b.queue.stop_beside();
  QVERIFY(b.ended());
  QCOMPARE(b.queue.runs()[2].state, State::stopped);
}

void QueueTest::cards_in_use_are_left_alone() {
  CardsBench b;
  // A run that was started on two of the three cards, or on none of them.
  JobSpec split;
  split_over(split, "cuda:0,2");
  for (const auto& [device, parts] :
       {std::pair("cuda:0,2", std::vector<SplitDevice>()), std::pair("cuda:0", split.split),
        std::pair("cpu", std::vector<SplitDevice>())}) {
    JobSpec shown = job_named("shown");
    shown.device = device;
    shown.split = parts;
    shown.preset.training.steps = 1'000'000;
    QVERIFY(b.engine.start(shown));
    for (const char* name : {"a", "b", "c", "d"}) {
      b.add(name, 1'000'000);
    }
    b.queue.set_on(true);
    const int free = std::string(device) == "cpu" ? 3 : 1;
    QCOMPARE(b.queue.running_beside(), free);
    QVERIFY(QTest::qWaitFor([&] { return b.now == 1 + free; }));
    if (free == 1) {
      QCOMPARE(b.device["a"], std::string("cuda:3"));
    }
    b.engine.request_stop(RunControl::Stop::discard);
    // Its cards are free for the next; those of the others aren't.
    QVERIFY(QTest::qWaitFor([&] { return b.queue.running_beside() == (free == 1 ? 2 : 3); }));
    QTest::qWait(50);
    QCOMPARE(b.engine.is_running(), free == 1);
    b.queue.set_on(false);
    b.engine.request_stop(RunControl::Stop::discard);
    b.queue.stop_beside();
    QVERIFY(b.ended());
    for (int row = b.queue.rowCount() - 1; row >= 0; --row) {
      b.queue.remove(row);
    }
  }
}

void QueueTest::the_queue_goes_on_after_a_run_without_the_window() {
  TestSession t{endless_engine()};
  t.show();
  t.window().actions()->enqueue->trigger();
  t.window().actions()->enqueue->trigger();
  RunQueue* queue = t.window().queue();
  queue->set_on(true);
  QVERIFY(t.wait_for(RunState::training));
  queue->hand_over();
  t.engine().request_stop(RunControl::Stop::save);
  QVERIFY(t.wait_for_end());
  QTest::qWait(50);
  QVERIFY(!t.engine().is_running());
  QCOMPARE(queue->runs()[0].state, QueuedRun::State::running);
  QVERIFY(queue->runs()[0].apart && queue->is_on());
  t.window().close();
  t.start_again();
  t.show();
  queue = t.window().queue();
  QCOMPARE(queue->runs()[0].state, QueuedRun::State::running);
  QVERIFY(queue->is_on() && !t.engine().is_running());  // it may still be found
  queue->settle_apart();
  QVERIFY(t.wait_for(RunState::training));
  QCOMPARE(queue->waiting(), 0);
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

void QueueTest::closing_saves_runs_beside() {
  TestSession t{endless_engine()};
  t.session->settings().set_device(QStringLiteral("cuda:0,2"));
  t.session->settings().set_card_use(CardUse::each);
  t.show();
  RunQueue* queue = t.window().queue();
  for (const char* name : {"a", "b"}) {
    JobSpec job = job_named(name);
    job.preset.training.steps = 1'000'000;
    queue->add(job);
  }
  queue->set_on(true);
  QVERIFY(t.wait_for(RunState::training));
  QCOMPARE(queue->running_beside(), 1);
  t.window().close();
  QCOMPARE(t.stop_asked, 1);
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }, 10000));
  QCOMPARE(queue->runs()[0].state, State::stopped);
  QCOMPARE(queue->runs()[1].state, State::stopped);
  // The next start offers both.
  const QStringList left = t.session->settings().left_runs();
  QCOMPARE(left.size(), qsizetype{2});
  for (const char* name : {"/runs/a/", "/runs/b/"}) {
    QVERIFY2(!left.filter(QString::fromLatin1(name)).isEmpty(), name);
  }
}

}  // namespace mantissa::gui
