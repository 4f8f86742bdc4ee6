#include "tests/gui/RecoveryTest.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>
#include <QtTest>
#include <thread>

#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"
#include "engine/run/run_folder.h"
#include "engine/store/store.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/QuestionSheet.h"
#include "tests/gui/HistoryStudio.h"

namespace mantissa::gui {
namespace {

constexpr int kMostLostMs = 2000;

/// Types a value into a setting's row.
void type(TestSession& t, const char* key, const QString& value) {
  FieldRow* row = t.window().setup_page()->form()->row(QString::fromLatin1(key));
  auto* edit = qobject_cast<QLineEdit*>(row->editor());
  if (edit == nullptr) {
    edit = row->editor()->findChild<QLineEdit*>();
  }
  QVERIFY(edit != nullptr);
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, value);
}

QPushButton* offer(TestSession& t, const QString& name) {
  for (QPushButton* button : t.window().messages()->offers()) {
    if (button->text() == name) {
      return button;
    }
  }
  return nullptr;
}

/// A session whose questions are dialogs.
void ask_with_dialogs(TestSession& t, Runner runner) {
  t.session.reset();
  SessionOptions options;
  options.runner = std::move(runner);
  options.planner = FakeEngine::plan;
  options.settings_file = t.settings_file();
  t.session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
  t.show();
}

QList<QuestionSheet*> stop_questions(TestSession& t) {
  return t.window().findChildren<QuestionSheet*>();
}

}  // namespace

void RecoveryTest::work_survives_a_crash() {
  TestSession t{FakeEngine{}};
  t.session->restore_draft();
  t.show();
  const QString file = t.folder.filePath(QStringLiteral("mine.json"));
  t.session->document().save_as(file);
  type(t, "adapter.rank", QStringLiteral("48"));
  t.window().setup_page()->show_view(SetupPage::text_view);
  QPlainTextEdit* text = t.window().setup_page()->text()->editor();
  text->moveCursor(QTextCursor::End);
  QTest::keyClicks(text, QStringLiteral(" half a sentence"));
  t.window().setup_page()->job()->base()->set_path(QStringLiteral("/models/base.safetensors"));
  t.window().resize(1111, 777);
  QTest::qWait(kMostLostMs);
  t.start_again();  // without a close

  t.session->restore_draft();
  t.show();
  PresetDocument& document = t.session->document();
  QCOMPARE(document.preset().adapter.rank, 48);
  QVERIFY(document.is_dirty());
  QCOMPARE(document.file(), file);
  QVERIFY(t.window().page() == t.window().setup_page());
  QCOMPARE(t.window().setup_page()->view(), SetupPage::text_view);
  QVERIFY(t.window().setup_page()->text()->unapplied().value_or(QString()).endsWith(
      QStringLiteral(" half a sentence")));
  QCOMPARE(path_text(t.window().setup_page()->job()->job().base),
           QStringLiteral("/models/base.safetensors"));
  QCOMPARE(t.window().size(), QSize(1111, 777));
  document.undo_stack()->undo();  // back to what the file holds
  QCOMPARE(document.preset().adapter.rank, load_preset(to_path(file)).adapter.rank);
}

void RecoveryTest::quitting_keeps_edits_unasked() {
  TestSession t{FakeEngine{}};
  t.session->restore_draft();
  t.show();
  type(t, "adapter.rank", QStringLiteral("8"));
  t.window().show_page(t.window().data_page());
  t.window().close();
  QVERIFY(!t.window().isVisible());
  QCOMPARE(t.unsaved_asked, 0);
  t.start_again();
  t.session->restore_draft();
  QCOMPARE(t.session->document().preset().adapter.rank, 8);
  QVERIFY(t.window().page() == t.window().data_page());
}

void RecoveryTest::edits_that_cannot_be_kept_are_asked_about() {
  TestSession t{FakeEngine{}};
  t.session->restore_draft();
  t.show();
  // A folder in the settings' place: they can't be written any more.
  QTest::qWait(50);
  QFile::remove(t.settings_file());
  QVERIFY(QDir().mkpath(t.settings_file() + QStringLiteral("/taken")));
  type(t, "adapter.rank", QStringLiteral("8"));
  t.unsaved_answer = WindowQuestions::Answer::cancel;
  t.window().close();
  QVERIFY(t.window().isVisible());
  t.unsaved_answer = WindowQuestions::Answer::save;
  t.save_answer = t.folder.filePath(QStringLiteral("p.json"));
  t.window().close();
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }));
  QCOMPARE(t.unsaved_asked, 2);
  QCOMPARE(load_preset(to_path(t.save_answer)).adapter.rank, 8);
}

void RecoveryTest::a_broken_draft_is_told_and_set_aside() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_draft("{\"preset\": 3}");
  t.session->restore_draft();
  t.show();
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("can't be restored")));
  QVERIFY(t.session->settings().flush());
  QCOMPARE(QSettings(t.settings_file(), QSettings::IniFormat)
               .value(QStringLiteral("draft/unreadable"))
               .toByteArray(),
           QByteArray("{\"preset\": 3}"));
}

void RecoveryTest::stop_says_what_would_be_lost() {
  FakeEngine fake = endless_engine();
  fake.save_every = 100'000;
  TestSession t{fake};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(20));
  QPushButton* stop = t.window().run_bar()->button(t.window().actions()->stop);
  t.how_to_stop = std::nullopt;  // Keep training
  stop->click();
  QVERIFY2(t.how_to_stop_asked.startsWith(QStringLiteral("Not saved yet: ")),
           qPrintable(t.how_to_stop_asked));
  QVERIFY(t.how_to_stop_asked.contains(
      QRegularExpression(QStringLiteral("\\d\\d+ step\\(s\\), \\d+ s"))));
  QVERIFY(t.wait_for(RunState::training));
  t.window().actions()->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.engine().last_saved_step() > 0; }));
  const std::int64_t saved = t.engine().last_saved_step();
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().step() > saved + 5; }));
  t.how_to_stop = WindowQuestions::Stop::save;
  stop->click();
  QVERIFY(t.how_to_stop_asked.contains(
      QStringLiteral("since the checkpoint of step %1").arg(step_text(saved))));
  QVERIFY(t.wait_for_end());
  QVERIFY(t.engine().last_saved_step() > saved);
}

void RecoveryTest::the_question_of_a_stop_follows_the_run() {
  TestSession t{FakeEngine{}};
  ask_with_dialogs(t, endless_engine());
  t.window().setup_page()->job()->use_demo();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(20));
  t.window().actions()->stop->trigger();
  QCOMPARE(stop_questions(t).size(), 1);
  QuestionSheet* sheet = stop_questions(t).front();
  const QString first = sheet->text();
  QTRY_VERIFY(sheet->text() != first);
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

void RecoveryTest::steps_count_before_their_state_arrives() {
  TestSession t{FakeEngine{}};
  ask_with_dialogs(t, [](const JobSpec&, RunControl& control, RunObserver& observer) {
    for (int step = 1; step <= 30; ++step) {
      StepRecord record;
      record.step = step;
      observer.on_step(record);
    }
    while (control.stop_requested() == RunControl::Stop::none) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return RunResult{};
  });
  t.window().actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().step() == 30; }));
  QCOMPARE(t.engine().state(), RunState::preparing);
  t.window().actions()->stop->trigger();
  QCOMPARE(stop_questions(t).size(), 1);
  stop_questions(t).first()->close();
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

void RecoveryTest::a_question_about_a_run_ends_with_it() {
  FakeEngine fake = endless_engine();
  TestSession t{fake};
  ask_with_dialogs(t, fake);
  QAction* stop = t.window().actions()->stop;
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(20));
  stop->trigger();
  stop->trigger();
  QCOMPARE(stop_questions(t).size(), 1);
  QCOMPARE(t.engine().shown_state(), RunState::training);
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
  QVERIFY(QTest::qWaitFor([&] { return stop_questions(t).isEmpty(); }));
}

void RecoveryTest::a_saved_run_stops_unasked() {
  TestSession t{endless_engine()};
  t.show();
  RunActions* a = t.window().actions();
  a->start->trigger();
  QVERIFY(t.wait_for_step(5));
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  a->save->trigger();
  QVERIFY(QTest::qWaitFor([&] {
    return t.engine().last_saved_step() > 0 &&
           t.engine().last_saved_step() == t.session->data().step();
  }));
  t.window().run_bar()->button(a->stop)->click();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.how_to_stop_asked, QString());
}

void RecoveryTest::a_run_left_by_quitting_is_offered() {
  HistoryStudio t;
  // As the engine makes them: the checkpoint that it reports holds a copy of the job.
  JobSpec job;
  job.base = "demo";
  job.images = {"demo"};
  job.out = to_path(t.folder.filePath(QStringLiteral("runs/mine")));
  const RunFolder run = RunFolder::create(job);
  t.script = endless_engine();
  t.script.checkpoint = run.checkpoints() / "step-00000007";
  std::filesystem::create_directories(t.script.checkpoint);
  std::filesystem::copy_file(run.job_file(), t.script.checkpoint / "job.json");
  t.start_again();
  t.show();
  t.window().setup_page()->job()->use_demo();
  t.window().actions()->start->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().step() >= 5; }));
  t.window().close();  // answered with Stop, save and quit
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }));
  QCOMPARE(t.session->settings().left_runs(), QStringList{path_text(run.path())});
  {
    // What the engine would have recorded.
    RunStore store(t.database);
    RunRow row = t.row(to_qstring(run.id()), QStringLiteral("stopped"));
    row.out = path_to_utf8(run.path());
    store.create_run(row);
    HistoryStudio::add_steps(store, run.id(), 1, 7, 0.1);
  }
  t.start_again();
  t.show();
  t.session->begin_background();
  QVERIFY(QTest::qWaitFor([&] { return !t.window().messages()->offers().empty(); }));
  QVERIFY(t.window().messages()->text().contains(
      QStringLiteral("Run %1 was stopped at step 7 when you quit.").arg(to_qstring(run.id()))));
  // Only once.
  QVERIFY(t.session->settings().left_runs().isEmpty());
}

void RecoveryTest::resuming_from_nothing_is_starting_over() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("cut"));
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("cut"), QStringLiteral("training"), recipe("cut", 8)));
    HistoryStudio::add_steps(store, "cut", 1, 20, 0.1);
  }
  t.show();
  t.session->begin_background();
  QVERIFY(QTest::qWaitFor([&] { return !t.window().messages()->offers().empty(); }));
  const QString said = t.window().messages()->text();
  QVERIFY2(said.contains(QStringLiteral("It has no checkpoint")), qPrintable(said));
  QVERIFY(said.contains(QStringLiteral("interrupted at step 20")));
  QVERIFY(offer(t, QStringLiteral("Resume")) == nullptr);
  // The History page and the run bar say the same.
  t.window().show_page(t.window().history_page());
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 1; }));
  t.choose({QStringLiteral("cut")});
  QCOMPARE(t.page()->actions().resume->text(), QStringLiteral("Start over"));
  t.window().setup_page()->job()->set_resume(t.run_folder(QStringLiteral("cut")));
  QCOMPARE(t.window().run_bar()->button(t.window().actions()->start)->text(),
           QStringLiteral("Start over"));
  QDir().mkpath(t.run_folder(QStringLiteral("cut")) + QStringLiteral("/checkpoints/step-00000008"));
  t.window().setup_page()->job()->set_resume(QString());
  QCOMPARE(t.window().run_bar()->button(t.window().actions()->start)->text(),
           QStringLiteral("Start"));
  t.window().setup_page()->job()->set_resume(t.run_folder(QStringLiteral("cut")));
  QCOMPARE(t.window().run_bar()->button(t.window().actions()->start)->text(),
           QStringLiteral("Resume"));
  offer(t, QStringLiteral("Start over"))->click();
  QVERIFY(QTest::qWaitFor([&] { return t.engine().is_running(); }));
  QVERIFY(t.wait_for_end());
}

void RecoveryTest::a_run_is_continued_once() {
  TestSession t{FakeEngine{}};
  t.show();
  t.window().setup_page()->job()->set_resume(QStringLiteral("/runs/old"));
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(path_text(t.engine().job().resume.value()), QStringLiteral("/runs/old"));
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QVERIFY(!t.engine().job().resume.has_value());
  QCOMPARE(path_text(t.engine().job().base), QStringLiteral("demo"));
}

void RecoveryTest::each_view_of_setup_comes_back() {
  for (const auto view : {SetupPage::rate_view, SetupPage::probe_view, SetupPage::form_view}) {
    TestSession t{FakeEngine{}};
    t.session->restore_draft();
    t.show();
    t.window().setup_page()->show_view(view);
    t.session->document().edit("adapter.rank", 48);
    QTest::qWait(kMostLostMs);
    t.start_again();
    t.session->restore_draft();
    t.show();
    QCOMPARE(t.window().setup_page()->view(), view);
  }
}

/// A run continues with its own settings; the draft and its edits stay.
void RecoveryTest::resuming_asks_nothing_and_leaves_the_draft() {
  HistoryStudio t;
  Preset run = recipe("cut", 8);
  run.training.steps = 60;
  t.make_folder(QStringLiteral("cut"));
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("cut"), QStringLiteral("stopped"), run));
    HistoryStudio::add_steps(store, "cut", 1, 20, 0.1);
  }
  t.show_history(1);
  PresetDocument& document = t.session->document();
  Preset draft;
  draft.adapter.rank = 99;
  document.load(Preset{}, QString());
  document.replace(draft, QStringLiteral("edited"));
  t.choose({QStringLiteral("cut")});
  t.page()->actions().open->trigger();
  QVERIFY(t.window().page() == t.window().run_page());
  QVERIFY(document.preset() == draft && document.is_dirty());
  QVERIFY(!t.window().setup_page()->job()->job().resume.has_value());
  // Its settings beside the draft.
  offer(t, QStringLiteral("Compare its settings"))->click();
  QCOMPARE(t.window().setup_page()->view(), SetupPage::diff_view);
  QCOMPARE(static_cast<std::size_t>(t.window().setup_page()->diff()->table()->rows()),
           diff_presets(run, draft).size());
  // By the bar, and by History.
  t.window().run_bar()->button(t.window().actions()->go_on)->click();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.adapter.rank, 8);
  QCOMPARE(path_text(t.engine().job().resume.value()), t.run_folder(QStringLiteral("cut")));
  t.window().show_page(t.window().history_page());
  t.choose({QStringLiteral("cut")});
  t.page()->actions().resume->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{60});
  QVERIFY(document.preset() == draft && document.is_dirty());
  QCOMPARE(t.unsaved_asked, 0);
}

/// More steps are asked for in the form, which shows the run's settings then; Undo brings back the
/// draft.
void RecoveryTest::a_finished_run_continues_with_more_steps() {
  HistoryStudio t;
  Preset run = recipe("whole", 8);
  run.training.steps = 20;
  t.make_folder(QStringLiteral("whole"));
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("whole"), QStringLiteral("finished"), run));
    HistoryStudio::add_steps(store, "whole", 1, 20, 0.1);
  }
  t.show_history(1);
  PresetDocument& document = t.session->document();
  const Preset draft = document.preset();
  QVERIFY(draft.adapter.rank != 8);
  t.choose({QStringLiteral("whole")});
  t.page()->actions().open->trigger();
  QPushButton* go_on = t.window().run_bar()->button(t.window().actions()->go_on);
  QCOMPARE(go_on->text(), QStringLiteral("Continue…"));
  go_on->click();
  QVERIFY(!t.engine().is_running());
  QVERIFY(t.window().page() == t.window().setup_page());
  QCOMPARE(document.preset().adapter.rank, 8);
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("All 20 steps are done.")));
  document.edit("training.steps", 30);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.training.steps, std::int64_t{30});
  QCOMPARE(path_text(t.engine().job().resume.value()), t.run_folder(QStringLiteral("whole")));
  document.undo_stack()->undo();
  document.undo_stack()->undo();
  QVERIFY(document.preset() == draft);
}

void RecoveryTest::a_resumed_run_has_its_eta_at_once() {
  FakeEngine fake;
  fake.stall_step = 1;
  fake.stall = std::chrono::milliseconds(400);
  HistoryStudio t{fake};
  Preset preset = recipe("cut", 8);
  preset.training.steps = 60;
  t.make_folder(QStringLiteral("cut"));
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("cut"), QStringLiteral("stopped"), preset));
    HistoryStudio::add_steps(store, "cut", 1, 20, 0.1);  // of a quarter of a second
  }
  t.show_history(1);
  t.session->document().load(preset, QString());
  t.choose({QStringLiteral("cut")});
  t.page()->actions().resume->trigger();
  QVERIFY(t.wait_for(RunState::training));
  QVERIFY(QTest::qWaitFor(
      [&] { return t.window().run_bar()->details().contains(QStringLiteral("ETA")); }, 300));
  QCOMPARE(t.session->data().step(), std::int64_t{20});
  QCOMPARE(t.session->data().remaining_seconds(), 10.0);
  QVERIFY(t.wait_for_end());
}

}  // namespace mantissa::gui
