// Runs that are processes of their own, by the real program.
#include "tests/gui/ApartTest.h"

#include <QCheckBox>
#include <QDir>
#include <QPushButton>
#include <QtTest>
#include <csignal>

#include "engine/core/paths.h"
#include "engine/io/run_lock.h"
#include "engine/run/run_channel.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_requests.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "gui/app/CloseSheet.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/history/HistoryPage.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/RealStudio.h"

namespace mantissa::gui {
namespace {

constexpr int kLong = 60000;
constexpr int kEndless = 100000;  ///< steps

/// A studio whose draft is a short step after another.
struct ApartStudio : RealStudio {
  void prepare(int steps) {
    Session& s = *session;
    s.document().open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/demo.json"));
    s.document().edit("adapter.rank", 2);
    s.document().edit("data.resolution", 64);
    s.document().edit("data.batch_size", 1);
    s.document().edit("training.steps", steps);
    s.document().edit("schedule.warmup_steps", 0);
    s.document().edit("schedule.type", "constant");
    s.document().edit("output.save_every", 0);
    s.document().edit("samples.every", 0);
    window().setup_page()->job()->use_demo();
  }
  MainWindow& window() { return session->window(); }
  EngineClient& engine() { return session->engine(); }
  std::int64_t step() { return session->data().step(); }
  bool wait_for_step(std::int64_t wanted) {
    return QTest::qWaitFor([&] { return step() >= wanted || ended; }, kLong) && !ended;
  }
  bool wait_for(RunState state) {
    return QTest::qWaitFor([&] { return engine().state() == state || ended; }, kLong) && !ended;
  }
  bool wait_for_end() {
    return QTest::qWaitFor([&] { return ended; }, kLong);
  }
  /// An endless draft whose runs are processes of their own.
  void prepare_apart() {
    prepare(kEndless);
    QCheckBox* apart = window().setup_page()->job()->apart();
    window().show_page(window().setup_page());
    if (!apart->isChecked()) {
      apart->click();
    }
  }
  void wait_for_start() {
    QVERIFY2(wait_for_step(3), end.failure.message.text().c_str());
    QVERIFY(wait_for(RunState::training));
  }
  void start_apart() {
    prepare_apart();
    window().actions()->start->trigger();
    wait_for_start();
  }
  void stop() {
    window().actions()->stop_save->trigger();
    QVERIFY(wait_for_end());
  }
  static RunRow only_run() {
    RunReader reader(runs_database());
    const std::vector<RunRow> runs = reader.list_runs();
    return runs.empty() ? RunRow() : runs.front();
  }
  /// Lets a run of a process end after this step; `preset` is its own.
  static void end_after(const RunRow& run, Preset preset, std::int64_t step) {
    preset.training.steps = step;
    RunControl asked;
    asked.request_settings(preset);
    for (const std::string& request : RequestLines().take(asked)) {
      ask_run(path_from_utf8(run.out), request);
    }
  }
  static void kill_process() {
    const RunRow run = only_run();
    QVERIFY(owner_is_alive(run));
#ifndef _WIN32
    QCOMPARE(::kill(static_cast<pid_t>(run.process), SIGKILL), 0);
    QVERIFY(QTest::qWaitFor([&] { return !owner_is_alive(run); }, kLong));
#endif
  }
  /// What its process last said, for a test that fails.
  static std::string state_of(const RunRow& run) {
    std::string text = RunReader(runs_database()).run(run.id)->state;
    for (const std::string& line :
         read_status(path_from_utf8(run.out)).value_or(mantissa::RunStatus{}).lines) {
      text += '\n' + line.substr(0, 300);
    }
    return text;
  }
  QPushButton* offer(const QString& name) {
    for (QPushButton* button : window().messages()->offers()) {
      if (button->text() == name) {
        return button;
      }
    }
    return nullptr;
  }
  /// Whatever goes wrong, no process stays behind.
  ~ApartStudio() {
    for (const RunRow& run : RunReader(runs_database()).list_runs()) {
      if (owner_is_alive(run)) {
        try {
          ask_run(path_from_utf8(run.out), "discard");
        } catch (const std::exception&) {
        }
      }
      [[maybe_unused]] const bool over =
          QTest::qWaitFor([&] { return !owner_is_alive(run); }, kLong);
    }
  }
};

void keep_picture(QWidget& widget, const QString& name) {
  if (const QString folder = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !folder.isEmpty()) {
    QDir().mkpath(folder);
    QTest::qWait(100);  // the layout follows
    QVERIFY(widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png"))));
  }
}

}  // namespace

void ApartTest::a_run_outlives_the_window() {
  ApartStudio t;
  t.start_apart();
  QVERIFY(t.engine().is_apart());
  QVERIFY(QTest::qWaitFor(
      [&] {
        return t.window().messages()->text().contains(QStringLiteral("a process of its own"));
      },
      kLong));
  QVERIFY(t.session->settings().told_apart());
  t.window().resize(1024, 700);
  keep_picture(t.window(), QStringLiteral("apart-train"));
  const RunRow run = ApartStudio::only_run();
  QVERIFY(owner_is_alive(run));
  QVERIFY(run.process != QCoreApplication::applicationPid());
  QVERIFY(t.window().close());
  QCOMPARE(t.closing_asked, 0);
  const std::int64_t seen = t.step();
  t.session.reset();
  // Another program that writes to the runs database, and ends.
  QVERIFY(RunStore(runs_database(), owner_is_alive).interrupted().empty());
  QVERIFY(std::filesystem::exists(runs_database() += "-wal"));  // the run's process writes to it
  t.start_again();
  QVERIFY2(owner_is_alive(run), ApartStudio::state_of(run).c_str());
  QVERIFY(t.engine().is_apart());
  QVERIFY(t.window().page() == t.window().run_page());
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(t.wait_for_step(seen + 3));
  // Its curve is whole.
  QVERIFY(t.session->data().loss.size() >= static_cast<std::size_t>(t.step()));
  QVERIFY2(t.window().messages()->text().contains(QStringLiteral("in a process of its own")),
           qPrintable(t.window().messages()->text()));
  QVERIFY(t.window().actions()->pause->isEnabled() && !t.window().actions()->start->isEnabled());
  t.window().resize(1024, 700);
  keep_picture(t.window(), QStringLiteral("apart-again"));
  // Without an order to close: as after a crash of the window.
  t.start_again();
  QVERIFY(t.wait_for(RunState::training));
  t.stop();
  QCOMPARE(t.end.how, RunEnd::How::stopped);
  const std::string state = ApartStudio::only_run().state;
  const std::string said = state + ": " + t.end.failure.message.text();
  QVERIFY2(state == "stopped", said.c_str());
  QVERIFY(RunLaunch::all().empty());
  t.start_again();
  QVERIFY(!t.engine().is_running());
}

void ApartTest::it_follows_every_request() {
  ApartStudio t;
  t.start_apart();
  RunActions& actions = *t.window().actions();
  actions.pause->trigger();
  QCOMPARE(t.engine().shown_state(), RunState::pausing);
  QVERIFY(t.wait_for(RunState::paused));
  const std::int64_t paused = t.step();
  actions.save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().last_saved().isEmpty(); }, kLong));
  QVERIFY(t.engine().last_saved_step() >= paused);
  // Paused it stays while the window is away, and is resumed from the next one.
  t.window().close();
  t.start_again();
  QVERIFY(t.wait_for(RunState::paused));
  t.window().actions()->pause->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(t.wait_for_step(paused + 2));
  // Live settings, and a sample.
  Preset preset = t.engine().job().preset;
  preset.optimizer.learning_rate = 0.25e-4;
  t.engine().request_settings(preset);
  QVERIFY(QTest::qWaitFor(
      [&] {
        return t.window().run_page()->log()->text().contains(QStringLiteral("learning_rate"));
      },
      kLong));
  // As `mantissa ask RUN change --set` does it.
  ask_run(path_from_utf8(ApartStudio::only_run().out), change_request({"training.steps=90000"}));
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().total_steps() == 90000; }, kLong));
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{90000});
  QCOMPARE(t.engine().job().preset.optimizer.learning_rate, 0.25e-4);
  t.window().actions()->sample->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.session->samples().columnCount() > 0; }, kLong));
  t.window().actions()->stop->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.ended || t.window().findChild<QDialog*>() != nullptr; },
                          kLong));
  if (!t.ended) {
    t.engine().request_stop(RunControl::Stop::discard);
  }
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.end.how, RunEnd::How::stopped);
}

void ApartTest::a_killed_process_is_told_and_resumed() {
#ifdef Q_OS_WIN
  QSKIP("ends a process by a signal");
#endif
  ApartStudio t;
  t.start_apart();
  t.window().actions()->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().last_saved().isEmpty(); }, kLong));
  const std::int64_t saved = t.engine().last_saved_step();
  ApartStudio::kill_process();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.end.how, RunEnd::How::failed);
  QVERIFY(t.end.failure.message.text().find("is gone") != std::string::npos);
  QVERIFY(RunLaunch::all().empty());
  keep_picture(t.window(), QStringLiteral("apart-killed"));
  // Again in a process of its own, from the checkpoint.
  t.ended = false;
  t.window().actions()->go_on->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.engine().is_apart(); }, kLong));
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(t.wait_for_step(saved + 2));
  QVERIFY(t.session->data().loss.size() >= static_cast<std::size_t>(t.step()));
  t.stop();
}

void ApartTest::one_killed_while_the_window_is_closed_is_offered() {
#ifdef Q_OS_WIN
  QSKIP("ends a process by a signal");
#endif
  ApartStudio t;
  t.start_apart();
  t.window().actions()->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().last_saved().isEmpty(); }, kLong));
  t.window().close();
  t.session.reset();
  ApartStudio::kill_process();
  t.start_again();
  QVERIFY(!t.engine().is_running());
  QVERIFY(QTest::qWaitFor([&] { return t.offer(QStringLiteral("Resume")) != nullptr; }, kLong));
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("was interrupted at step")));
  QVERIFY(RunLaunch::all().empty());
}

void ApartTest::a_run_is_handed_over_to_the_bit() {
  constexpr std::int64_t kSteps = 150;
  ApartStudio t;
  t.prepare(kSteps);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QVERIFY2(t.end.how == RunEnd::How::completed, t.end.failure.message.text().c_str());
  const std::string whole = t.end.result.run_id;
  t.ended = false;
  t.prepare(kEndless);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(3));
  QVERIFY(!t.engine().is_apart());
  const Preset preset = t.engine().job().preset;
  QVERIFY(!t.window().close());  // the answer is to keep it
  QCOMPARE(t.closing_asked, 1);
  QVERIFY(t.engine().is_running());
  t.closing = WindowQuestions::Closing::apart;
  t.window().close();
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }, kLong));
  QVERIFY(t.session->settings().left_runs().isEmpty());
  const RunRow run = ApartStudio::only_run();
  QVERIFY(run.id != whole);
  t.session.reset();
  RunReader reader(runs_database());
  QVERIFY(QTest::qWaitFor([&] { return reader.run(run.id)->steps >= kSteps; }, kLong));
  ApartStudio::end_after(run, preset, reader.run(run.id)->steps + 20);
  QVERIFY(QTest::qWaitFor([&] { return !owner_is_alive(run); }, kLong));
  QCOMPARE(reader.list_runs().size(), std::size_t{2});  // it is the same run
  QCOMPARE(reader.run(run.id)->state, std::string("finished"));
  QVERIFY(reader.run(run.id)->process != QCoreApplication::applicationPid());
  const auto first = reader.metrics(whole), second = reader.metrics(run.id);
  QCOMPARE(std::ssize(first), kSteps);
  QVERIFY(second.size() > first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    QVERIFY(first[i].loss == second[i].loss && first[i].grad_norm == second[i].grad_norm);
  }
}

void ApartTest::one_that_finishes_meanwhile_is_told() {
  ApartStudio t;
  t.start_apart();
  t.window().actions()->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  const Preset preset = t.engine().job().preset;
  const std::int64_t paused = t.step();
  t.window().close();
  t.session.reset();
  const RunRow run = ApartStudio::only_run();
  ApartStudio::end_after(run, preset, paused + 20);
  ask_run(path_from_utf8(run.out), "resume");
  QVERIFY(QTest::qWaitFor([&] { return !owner_is_alive(run); }, kLong));
  t.start_again();
  QVERIFY(QTest::qWaitFor([&] { return t.offer(QStringLiteral("Show in History")) != nullptr; },
                          kLong));
  QVERIFY2(t.window().messages()->text().contains(QStringLiteral("while the window was closed")),
           qPrintable(t.window().messages()->text()));
  QVERIFY(RunLaunch::all().empty());
  t.offer(QStringLiteral("Show in History"))->click();
  QVERIFY(t.window().page() == t.window().history_page());
}

void ApartTest::queued_runs_outlive_the_window() {
  ApartStudio t;
  t.prepare_apart();
  const auto queued = [&](std::size_t row) { return t.window().queue()->runs().at(row); };
  t.window().actions()->enqueue->trigger();
  t.window().actions()->enqueue->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.window().queue()->waiting() == 2; }, kLong));
  t.window().queue()->set_on(true);
  t.wait_for_start();
  QVERIFY(t.engine().is_apart() && queued(0).apart);
  QCOMPARE(queued(1).state, QueuedRun::State::waiting);
  t.window().close();
  t.start_again();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(queued(0).state == QueuedRun::State::running && queued(0).apart);
  t.stop();
  QCOMPARE(queued(0).state, QueuedRun::State::stopped);
  QCOMPARE(queued(1).state, QueuedRun::State::waiting);
  // The second ends without a window.
  t.ended = false;
  t.window().queue()->set_on(true);
  t.wait_for_start();
  QVERIFY(queued(1).apart);
  t.window().close();
  t.session.reset();
  const RunRow run = ApartStudio::only_run();
  ask_run(path_from_utf8(run.out), "stop");
  QVERIFY(QTest::qWaitFor([&] { return !owner_is_alive(run); }, kLong));
  t.start_again();
  QVERIFY(!t.engine().is_running());
  QCOMPARE(queued(1).state, QueuedRun::State::interrupted);
  QVERIFY(queued(1).message.contains(QStringLiteral("while the window was closed")));
}

void ApartTest::one_that_does_not_begin_is_told() {
  ApartStudio t;
  JobSpec job;
  job.preset = t.session->document().preset();
  job.base = "/nowhere/base.safetensors";
  job.images = {"demo"};
  job.device = "cpu";
  QVERIFY(t.engine().start_apart(job));
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.end.how, RunEnd::How::failed);
  QCOMPARE(t.end.failure.kind, ErrorKind::input);
  QVERIFY2(t.end.failure.message.text().find("/nowhere/base.safetensors") != std::string::npos,
           t.end.failure.message.text().c_str());
  QVERIFY(RunLaunch::all().empty());
}

void ApartTest::the_sheet_names_what_happens() {
  using Closing = WindowQuestions::Closing;
  ApartStudio t;
  t.window().resize(1024, 700);
  std::optional<Closing> chosen;
  const WindowQuestions ask = WindowQuestions::with_dialogs();
  const auto open = [&](bool may_go_on) {
    ask.closing(&t.window(), QStringLiteral("A run is in progress."), may_go_on,
                [&](Closing how) { chosen = how; });
    return t.window().findChild<CloseSheet*>();
  };
  CloseSheet* sheet = open(true);
  QVERIFY(QTest::qWaitForWindowExposed(sheet, kLong));
  QVERIFY(sheet->button(Closing::apart)->isDefault());
  keep_picture(*sheet, QStringLiteral("apart-sheet"));
  QTest::mouseClick(sheet->button(Closing::apart), Qt::LeftButton);
  QCOMPARE(chosen, std::optional(Closing::apart));
  QVERIFY(QTest::qWaitFor([&] { return t.window().findChild<CloseSheet*>() == nullptr; }, kLong));
  chosen.reset();
  sheet = open(false);
  QVERIFY(!sheet->button(Closing::apart)->isEnabled());
  QVERIFY(sheet->button(Closing::stop)->isDefault());
  QTest::keyClick(sheet, Qt::Key_Escape);
  QVERIFY(!chosen);
  QVERIFY(QTest::qWaitFor([&] { return t.window().findChild<CloseSheet*>() == nullptr; }, kLong));
  sheet = open(true);
  QTest::mouseClick(sheet->keep(), Qt::LeftButton);
  QVERIFY(!chosen);
  t.window().show_page(t.window().setup_page());
  keep_picture(t.window(), QStringLiteral("apart-setup"));
}

}  // namespace mantissa::gui
