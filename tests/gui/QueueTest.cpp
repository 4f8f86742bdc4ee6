#include "tests/gui/QueueTest.h"

#include <QHeaderView>
#include <QListWidget>
#include <QMimeData>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <memory>

#include "engine/plan/backend.h"
#include "engine/plan/card_split.h"
#include "engine/plan/split_run.h"
#include "gui/app/SetupPage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/HistoryPage.h"
#include "gui/preset/SweepDialog.h"
#include "gui/run/QueuePanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

using State = QueuedRun::State;

std::string names(const RunQueue& queue) {
  std::string out;
  for (const QueuedRun& run : queue.runs()) {
    out += run.job.preset.name;
  }
  return out;
}

/// A queue on an engine that fails runs named "bad" and notes who ran.
struct Bench {
  QTemporaryDir folder;
  AppSettings settings{folder.filePath(QStringLiteral("s.ini"))};
  std::shared_ptr<std::string> ran = std::make_shared<std::string>();
  std::shared_ptr<std::atomic<int>> at_once = std::make_shared<std::atomic<int>>(0);
  EngineClient engine{
      [ran = ran, at_once = at_once](const JobSpec& job, RunControl& control, RunObserver& o) {
        if (at_once->fetch_add(1) != 0) {
          qFatal("two runs at once");
        }
        struct Leave {
          std::atomic<int>& n;
          ~Leave() { n.fetch_sub(1); }
        } leave{*at_once};
        *ran += job.preset.name;
        FakeEngine fake;
        fake.steps = job.preset.training.steps;
        if (job.preset.name == "b") {
          fake.fail_step = 5;
        }
        return fake(job, control, o);
      },
      FakeEngine::plan};
  RunQueue queue{&engine, &settings};

  Bench() {
    QObject::connect(&queue, &RunQueue::start_requested, &engine,
                     [this](const JobSpec& job) { engine.start(job); });
  }
  bool drained() {
    return QTest::qWaitFor([&] { return !queue.is_on() && !engine.is_running(); }, 10000);
  }
};

}  // namespace

JobSpec QueueTest::job_named(const std::string& name) {
  JobSpec job;
  job.base = "/models/" + name + " ä.safetensors";
  job.images = {"/images/one", "/images/two"};
  job.prior = {"/prior"};
  job.validation = {"/held out"};
  job.training_adapters = {{"/adapters/turbo.safetensors", 0.75}, {"/adapters/b.safetensors", 1}};
  job.out = "/runs/" + name;
  job.preset.name = name;
  job.preset.training.steps = 20;
  return job;
}

void QueueTest::a_tip_calls_settings_by_their_names() {
  Bench b;
  b.queue.add(job_named("a"));
  const QString tip = b.queue.index(0, RunQueue::name).data(Qt::ToolTipRole).toString();
  QVERIFY2(tip.contains(QStringLiteral("Steps: 20")), qPrintable(tip));
  QVERIFY2(!tip.contains(QStringLiteral("training.steps")), qPrintable(tip));
}

void QueueTest::runs_one_after_another() {
  Bench b;
  for (const char* name : {"a", "c", "d"}) {
    b.queue.add(job_named(name));
  }
  QVERIFY(!b.engine.is_running());
  b.queue.set_on(true);
  QVERIFY(b.engine.is_running());
  QCOMPARE(b.queue.runs()[0].state, State::running);
  QVERIFY(b.drained());
  QCOMPARE(*b.ran, std::string("acd"));
  for (const QueuedRun& run : b.queue.runs()) {
    QCOMPARE(run.state, State::finished);
    QVERIFY(run.message.contains(QStringLiteral("lora.safetensors")));
  }
  b.queue.remove_ended();
  QVERIFY(b.queue.runs().empty());
}

void QueueTest::failure_does_not_hold_it_up() {
  Bench b;
  for (const char* name : {"a", "b", "c"}) {
    b.queue.add(job_named(name));
  }
  b.queue.set_on(true);
  QVERIFY(b.drained());
  QCOMPARE(*b.ran, std::string("abc"));
  QCOMPARE(b.queue.runs()[1].state, State::failed);
  QVERIFY(b.queue.runs()[1].message.contains(QStringLiteral("not finite")));
  QCOMPARE(b.queue.runs()[2].state, State::finished);
}

void QueueTest::stopping_holds_it() {
  Bench b;
  JobSpec endless = job_named("a");
  endless.preset.training.steps = 1000000;
  b.queue.add(endless);
  b.queue.add(job_named("c"));
  b.queue.set_on(true);
  QVERIFY(QTest::qWaitFor([&] { return b.engine.state() == RunState::training; }));
  // The running one stays.
  QVERIFY(!b.queue.remove(0));
  QVERIFY(!b.queue.move(0, 1));
  // What waits stays behind it.
  QVERIFY(!b.queue.move(1, -1));
  QCOMPARE(names(b.queue), std::string("ac"));
  b.engine.request_stop(RunControl::Stop::discard);
  QVERIFY(b.drained());
  QTest::qWait(50);
  QCOMPARE(*b.ran, std::string("a"));
  QCOMPARE(b.queue.runs()[0].state, State::stopped);
  QCOMPARE(b.queue.waiting(), 1);
}

void QueueTest::reorder_and_remove() {
  Bench b;
  for (const char* name : {"a", "c", "d", "e"}) {
    b.queue.add(job_named(name));
  }
  QVERIFY(!b.queue.move(0, -1));
  QVERIFY(!b.queue.move(3, 1));
  QVERIFY(b.queue.move(3, -1));
  QCOMPARE(names(b.queue), std::string("aced"));
  QVERIFY(b.queue.move(0, 1));
  QCOMPARE(names(b.queue), std::string("caed"));
  // By dragging: between rows, before the one it is dropped on, or to the end.
  const auto drag = [&](int from, int to) {
    const std::unique_ptr<QMimeData> data(b.queue.mimeData({b.queue.index(from, 0)}));
    return b.queue.dropMimeData(data.get(), Qt::MoveAction, to, 0, {});
  };
  QVERIFY(b.queue.flags(b.queue.index(0, 0)) & Qt::ItemIsDragEnabled);
  QVERIFY(!drag(3, 0));
  QCOMPARE(names(b.queue), std::string("dcae"));
  drag(0, 2);
  QCOMPARE(names(b.queue), std::string("cdae"));
  drag(0, -1);
  QCOMPARE(names(b.queue), std::string("daec"));
  drag(3, 0);
  QCOMPARE(names(b.queue), std::string("cdae"));
  drag(1, 1);
  QVERIFY(b.queue.move_to(1, 3));
  QCOMPARE(names(b.queue), std::string("cade"));
  QVERIFY(b.queue.move_to(2, 4));
  QCOMPARE(names(b.queue), std::string("caed"));
  QVERIFY(b.queue.remove(1));
  QVERIFY(!b.queue.remove(7));
  QCOMPARE(names(b.queue), std::string("ced"));
  QCOMPARE(b.queue.index(1, RunQueue::name).data().toString(), QStringLiteral("e"));
}

void QueueTest::a_sweep_adds_its_runs() {
  TestSession t{FakeEngine{}};
  t.show();
  MainWindow& w = t.window();
  t.session->document().edit("output.name", "cat");
  w.actions()->sweep->trigger();
  auto* dialog = w.findChild<SweepDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  QVERIFY(!dialog->add_button()->isEnabled());
  dialog->first()->numbers()->setText(QStringLiteral("1e-4, soon"));
  QVERIFY(dialog->summary().startsWith(QStringLiteral("soon:")));
  dialog->first()->numbers()->setText(QStringLiteral("1e-4, 2e-4 1e-4"));
  QVERIFY(dialog->summary().startsWith(QStringLiteral("2 run")));
  dialog->second()->choose(QStringLiteral("optimizer.learning_rate"));
  dialog->second()->numbers()->setText(QStringLiteral("1"));
  QVERIFY(dialog->summary().contains(QStringLiteral("choose another")));
  // What the preflight refuses isn't added.
  dialog->second()->choose(QStringLiteral("precision.adapter"));
  QListWidget* types = dialog->second()->choices();
  const auto tick = [&](const QString& type, bool on) {
    for (int i = 0; i < types->count(); ++i) {
      if (types->item(i)->text() == type) {
        types->item(i)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
      }
    }
  };
  tick(QStringLiteral("FP16"), true);
  QVERIFY(!dialog->add_button()->isEnabled());
  QVERIFY(dialog->summary().contains(QStringLiteral("adapter-fp16")));
  tick(QStringLiteral("FP16"), false);
  tick(QStringLiteral("BF16"), true);
  QVERIFY(dialog->add_button()->isEnabled());
  QVERIFY(dialog->summary().startsWith(QStringLiteral("4 run")));
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    QVERIFY(dialog->grab().save(keep + QStringLiteral("/sweep.png")));
  }
  QTest::mouseClick(dialog->add_button(), Qt::LeftButton);
  const std::vector<QueuedRun>& runs = w.queue()->runs();
  QCOMPARE(runs.size(), std::size_t{4});
  QCOMPARE(runs[0].job.preset.output.name, std::string("cat-learning_rate-0.0001-adapter-fp32"));
  QCOMPARE(w.queue()->index(0, RunQueue::name).data().toString(),
           QStringLiteral("cat-learning_rate-0.0001-adapter-fp32"));
  QCOMPARE(runs[3].job.preset.output.name, std::string("cat-learning_rate-0.0002-adapter-bf16"));
  QCOMPARE(runs[3].job.preset.optimizer.learning_rate, 2e-4);
  QCOMPARE(runs[3].job.preset.precision.adapter, MasterType::bf16);
  QCOMPARE(runs[1].job.preset.optimizer.learning_rate, 1e-4);
}

void QueueTest::survives_a_restart() {
  Bench b;
  JobSpec first = job_named("a");
  first.preset.training.steps = 1000000;
  first.resume = "/runs/older";
  first.references = {"/before"};
  split_over(first, "cuda:0,2");
  b.queue.add(first);
  b.queue.add(job_named("c"));
  b.queue.set_on(true);
  QVERIFY(QTest::qWaitFor([&] { return b.engine.state() == RunState::training; }));
  // Another start of the studio restores the queue.
  AppSettings settings(b.folder.filePath(QStringLiteral("s.ini")));
  EngineClient engine(FakeEngine{}, FakeEngine::plan);
  RunQueue again(&engine, &settings);
  QCOMPARE(again.runs().size(), std::size_t{2});
  QVERIFY(!again.is_on());
  QVERIFY(!engine.is_running());
  QCOMPARE(again.runs()[0].state, State::interrupted);
  QCOMPARE(again.runs()[1].state, State::waiting);
  for (std::size_t i = 0; i < 2; ++i) {
    const JobSpec &was = b.queue.runs()[i].job, &is = again.runs()[i].job;
    QVERIFY(was.preset == is.preset);
    QVERIFY(was.base == is.base && was.images == is.images && was.out == is.out);
    QVERIFY(was.prior == is.prior && was.validation == is.validation);
    QVERIFY(was.references == is.references);
    QVERIFY(was.training_adapters == is.training_adapters);
    QVERIFY(was.resume == is.resume);
    QCOMPARE(was.device, is.device);
    QCOMPARE(devices_of(was), devices_of(is));
  }
  b.engine.request_stop(RunControl::Stop::discard);
  QVERIFY(b.drained());
}

void QueueTest::damaged_list_is_told() {
  QTemporaryDir folder;
  AppSettings settings(folder.filePath(QStringLiteral("s.ini")));
  settings.set_queue("[{\"base\": 7}]");
  EngineClient engine(FakeEngine{}, FakeEngine::plan);
  RunQueue queue(&engine, &settings);
  QString told;
  connect(&queue, &RunQueue::lost, this, [&](const QString& why) { told = why; });
  QVERIFY(QTest::qWaitFor([&] { return !told.isEmpty(); }));
  QVERIFY(told.contains(QStringLiteral("queue")));
  QVERIFY(queue.runs().empty());
}

void QueueTest::closing_starts_nothing_more() {
  FakeEngine fake;
  fake.steps = 1000000;
  TestSession t{fake};
  t.show();
  t.window().actions()->enqueue->trigger();
  t.window().actions()->enqueue->trigger();
  t.window().queue()->set_on(true);
  QVERIFY(t.wait_for(RunState::training));
  t.window().close();
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }));
  QTest::qWait(50);
  QVERIFY(!t.engine().is_running());
  QCOMPARE(t.window().queue()->waiting(), 1);
}

void QueueTest::through_the_window() {
  FakeEngine fake;
  fake.steps = 40;
  TestSession t{fake};
  t.show();
  MainWindow& w = t.window();
  t.session->document().edit("name", "first");
  w.actions()->enqueue->trigger();
  t.session->document().edit("name", "second");
  t.session->document().edit("training.steps", 777);
  w.actions()->enqueue->trigger();
  w.show_page(w.run_page());
  QueuePanel* panel = w.run_page()->findChild<QueuePanel*>();
  w.run_page()->show_view(panel);
  const QHeaderView* columns = panel->table()->horizontalHeader();  // the state takes the rest
  for (const int width : {900, 1024, 1280}) {
    w.resize(width, 700);
    QTest::qWait(50);
    QCOMPARE(columns->length(), panel->table()->viewport()->width());  // nothing lies outside
    for (const int column : {RunQueue::name, RunQueue::steps, RunQueue::state}) {
      QVERIFY(!panel->table()->isColumnHidden(column));
    }
  }
  panel->table()->selectRow(1);
  QVERIFY(panel->up_button()->isEnabled() && !panel->down_button()->isEnabled());
  panel->up_button()->click();
  QCOMPARE(w.queue()->runs()[0].job.preset.name, std::string("second"));
  // A later edit of the draft doesn't affect queued runs.
  t.session->document().edit("training.steps", 5);
  QCOMPARE(w.queue()->runs()[0].job.preset.training.steps, std::int64_t{777});
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    QVERIFY(w.grab().save(keep + QStringLiteral("/queue.png")));
  }
  panel->start_button()->click();
  QVERIFY(QTest::qWaitFor([&] { return w.queue()->waiting() == 0 && !t.engine().is_running(); },
                          10000));
  QVERIFY(QTest::qWaitFor([&] { return !w.queue()->is_on(); }));
  for (const QueuedRun& run : w.queue()->runs()) {
    QCOMPARE(run.state, State::finished);
  }
  QCOMPARE(t.session->data().total_steps(), t.session->data().preset.training.steps);
  // The run's results can be opened, continued and compared.
  QVERIFY(w.actions()->open_folder->isEnabled() && w.actions()->compare->isEnabled());
  w.actions()->compare->trigger();
  QVERIFY(w.page() == w.history_page());
}

// Its value differs from the draft's, which nobody has edited since it began.
void QueueTest::a_run_of_a_sweep_keeps_its_value_and_the_page_in_front() {
  FakeEngine fake;
  fake.steps = 100'000;
  TestSession t{fake};
  t.session->document().edit("training.steps", 100'000);
  t.show();
  MainWindow& w = t.window();
  t.session->document().edit("optimizer.learning_rate", 0.003);
  w.actions()->enqueue->trigger();
  t.session->document().edit("optimizer.learning_rate", 0.002);
  w.show_page(w.setup_page());
  w.messages()->show_error(QStringLiteral("can't write a file"));
  w.queue()->set_on(true);
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(w.page() == w.setup_page());
  QVERIFY2(w.messages()->isVisible(), "what is told there stays");
  const QAction* apply = w.actions()->apply_live;
  QVERIFY(!apply->isEnabled());
  t.session->document().edit("training.steps", 99'999);
  QVERIFY(apply->isEnabled());
  QVERIFY2(!apply->toolTip().contains(QStringLiteral("0.00")), qPrintable(apply->toolTip()));
  w.actions()->apply_live->trigger();
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{99'999});
  QCOMPARE(t.engine().job().preset.optimizer.learning_rate, 0.003);
  // Undone, it can be applied again.
  t.session->document().undo_stack()->undo();
  QVERIFY(apply->isEnabled());
  t.session->document().edit("optimizer.learning_rate", 0.001);
  QVERIFY2(apply->toolTip().contains(QStringLiteral("→")), qPrintable(apply->toolTip()));
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

void QueueTest::rows_tell_runs_apart() {
  Bench b;
  JobSpec first = job_named("same"), second = first, third = first;
  second.preset.adapter.rank = 64;
  third.images = {"/images/three"};
  for (const JobSpec& job : {first, second, third}) {
    b.queue.add(job);
  }
  const auto row = [&](int at) {
    QStringList cells;
    for (int column = 0; column < RunQueue::columns; ++column) {
      cells << b.queue.index(at, column).data().toString();
    }
    return cells.join(QLatin1Char('|'));
  };
  QVERIFY(row(0) != row(1));
  QVERIFY(row(0) != row(2));
  QVERIFY(row(1).contains(QStringLiteral("LoRA 64")));
  QVERIFY(row(2).contains(QStringLiteral("three")));
  QVERIFY(b.queue.index(1, RunQueue::name)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("Rank: 64")));
}

}  // namespace mantissa::gui
