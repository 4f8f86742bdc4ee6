// WindowTest: a run in the window. Its commands, its failure, its samples; runs that are opened.
#include <QPushButton>
#include <QTableView>
#include <QtTest>

#include "gui/app/FrameTicker.h"
#include "gui/app/SetupPage.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/samples/ImagePane.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/TestSession.h"
#include "tests/gui/WindowTest.h"

namespace mantissa::gui {

void WindowTest::start_needs_a_base() {
  TestSession t{FakeEngine{}, false};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(!t.engine().is_running());
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("base model")));
  t.window().show_exception(Error(Message::verbatim("can't open the door")));
  QCOMPARE(t.window().messages()->text(), QStringLiteral("Can't open the door"));
  t.window().setup_page()->job()->use_demo();
  t.window().actions()->start->trigger();
  QVERIFY(t.engine().is_running());
  QVERIFY(t.window().page() == t.window().run_page());
  QVERIFY(t.wait_for_end());
}

void WindowTest::buttons_follow_the_state() {
  FakeEngine fake = endless_engine();
  fake.preparing = std::chrono::milliseconds(150);
  TestSession t{fake};
  t.show();
  RunActions* a = t.window().actions();
  const auto enabled = [&] {
    QString out;
    for (const auto& [action, letter] : {std::pair{a->start, 'S'},
                                         {a->pause, 'P'},
                                         {a->stop_save, 'V'},
                                         {a->stop, 'X'},
                                         {a->save, 'C'},
                                         {a->sample, 'I'}}) {
      out += QLatin1Char(action->isEnabled() ? letter : '-');
    }
    return out;
  };
  QCOMPARE(enabled(), QStringLiteral("S-----"));
  a->start->trigger();
  QCOMPARE(enabled(), QStringLiteral("---X--"));
  QVERIFY(t.wait_for(RunState::training));
  QCOMPARE(enabled(), QStringLiteral("-PVXCI"));
  QVERIFY(QTest::qWaitFor([&] {
    return t.window().run_bar()->details().contains(QStringLiteral("it/s")) &&
           t.window().run_bar()->details().contains(QStringLiteral("ETA"));
  }));
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::paused));
  QCOMPARE(enabled(), QStringLiteral("-PVXCI"));
  QCOMPARE(a->pause->text(), QStringLiteral("Resume"));
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Paused"));
  QVERIFY(!t.window().run_bar()->details().contains(QStringLiteral("ETA")));
  QVERIFY2(t.session->data().rate() > 0, "the ETA is back as soon as it trains again");
  a->pause->trigger();
  QVERIFY(t.wait_for(RunState::training));
  a->save->trigger();
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().last_saved().isEmpty(); }));
  a->stop_save->trigger();
  QCOMPARE(enabled(), QStringLiteral("------"));
  QVERIFY(t.wait_for_end());
  QCOMPARE(enabled(), QStringLiteral("S-----"));
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Stopped"));
  QVERIFY(!t.window().ticker()->is_ticking());
}

void WindowTest::nan_gets_gap_and_markers() {
  FakeEngine fake;
  fake.steps = 60;
  fake.nan_step = 30;
  TestSession t{fake};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  const RunData& data = t.session->data();
  QCOMPARE(data.loss.size(), std::size_t{60});
  QCOMPARE(data.loss.extent(0, 100).non_finite, std::int64_t{1});
  QCOMPARE(data.loss_scale.values().back(), 32768.0);
  QVERIFY(std::any_of(data.markers().begin(), data.markers().end(), [](const PlotMarker& m) {
    return m.kind == PlotMarker::Kind::skipped && m.step == 30;
  }));
  QVERIFY(t.window().run_page()->log()->text().contains(QStringLiteral("not finite")));
}

void WindowTest::failure_card() {
  FakeEngine fake;
  fake.fail_step = 30;
  fake.save_every = 10;
  TestSession t{fake};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  RunPage* page = t.window().run_page();
  QVERIFY(page->failure_card()->isVisible());
  QCOMPARE(t.window().run_bar()->state_text(), QStringLiteral("Failed"));
  const QString report = page->failure_report();
  QVERIFY(report.contains(QString::fromUtf8(fake.failure.what())));
  QVERIFY(report.contains(QStringLiteral("step-20")));
  QVERIFY(report.contains(QStringLiteral("Last step: 30")));
  // The card names the checkpoint that was saved, not the step that failed.
  QStringList lines;
  for (const ElideLabel* line : page->failure_card()->findChildren<ElideLabel*>()) {
    lines << line->text();
  }
  QCOMPARE(
      lines,
      QStringList{QStringLiteral("Last good checkpoint: step 20, /runs/fake/checkpoints/step-20")});
  if (const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS"); !keep.isEmpty()) {
    QVERIFY(t.window().grab().save(keep + QStringLiteral("/failure.png")));
  }
  // Resume asks the engine for that run.
  for (QPushButton* b : page->failure_card()->findChildren<QPushButton*>()) {
    if (b->accessibleName().startsWith(QStringLiteral("Resume"))) {
      b->click();
    }
  }
  QVERIFY(t.engine().is_running());
  QVERIFY(t.engine().job().resume.has_value());
  QVERIFY(t.wait_for_end());
}

void WindowTest::failure_without_a_checkpoint_names_none() {
  FakeEngine fake;
  fake.fail_step = 5;
  TestSession t{fake};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  RunPage* page = t.window().run_page();
  QVERIFY(page->failure_card()->isVisible());
  for (const ElideLabel* line : page->failure_card()->findChildren<ElideLabel*>()) {
    QVERIFY(!line->isVisible());
  }
  QVERIFY(!page->failure_report().contains(QStringLiteral("checkpoint")));
}

void WindowTest::precision_fix_is_undoable() {
  TestSession t{FakeEngine{}};
  t.show();
  t.session->document().edit("precision.compute", "fp16");
  t.session->document().edit("precision.loss_scaling", "off");
  t.window().actions()->check->trigger();
  PrecisionPanel* panel = t.window().setup_page()->precision();
  QVERIFY(QTest::qWaitFor([&] { return panel->findChildren<FindingCard*>().size() == 2; }));
  for (QPushButton* b : panel->findChildren<QPushButton*>()) {
    if (b->accessibleName().contains(QStringLiteral("S5"))) {
      b->click();
    }
  }
  QCOMPARE(t.session->document().preset().precision.loss_scaling.mode, LossScaling::Mode::dynamic);
  QVERIFY(QTest::qWaitFor([&] { return !t.engine().is_checking(); }));
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().precision.loss_scaling.mode, LossScaling::Mode::off);
}

void WindowTest::closing_waits_for_the_run() {
  TestSession t{endless_engine()};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  t.stop_answer = false;
  t.window().close();
  QVERIFY(t.window().isVisible());
  QCOMPARE(t.stop_asked, 1);
  QVERIFY(t.engine().is_running());
  t.stop_answer = true;
  t.window().close();
  QVERIFY(t.window().isVisible());
  QVERIFY(QTest::qWaitFor([&] { return !t.window().isVisible(); }));
  QVERIFY(!t.engine().last_saved().isEmpty());
}

void WindowTest::samples_fill_the_grid() {
  FakeEngine fake;
  fake.steps = 40;
  fake.sample_every = 10;
  TestSession t{fake};
  fake.sample_file = make_test_image(t.folder.path(), 1);
  TestSession with{fake};
  with.show();
  with.window().actions()->start->trigger();
  QVERIFY(with.wait_for_end());
  QCOMPARE(with.session->samples().rowCount(), 2);
  QCOMPARE(with.session->samples().columnCount(), 5);
  with.window().show_page(with.window().sample_grid());
  QTableView* table = with.window().sample_grid()->table();
  QVERIFY(with.window().sample_grid()->preview()->has_image());
  QCOMPARE(table->currentIndex().column(), 4);
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Left);
  QTest::keyClick(table, Qt::Key_Down);
  QCOMPARE(table->currentIndex().column(), 3);
  QCOMPARE(table->currentIndex().row(), 1);
  QVERIFY(QTest::qWaitFor(
      [&] { return !table->currentIndex().data(Qt::DecorationRole).value<QImage>().isNull(); }));
}

void WindowTest::opens_a_recorded_run() {
  SessionOptions options;
  QTemporaryDir folder;
  options.runner = FakeEngine{};
  options.planner = FakeEngine::plan;
  options.settings_file = folder.filePath(QStringLiteral("s.ini"));
  options.load_run = [](const QString& id) {
    if (id != QLatin1String("r1")) {
      throw Error(Message::verbatim("there is no run " + id.toStdString()));
    }
    LoadedRun run;
    run.id = id;
    run.state = QStringLiteral("interrupted");
    run.folder = "/runs/r1";
    run.preset.name = "old";
    for (int i = 1; i <= 100; ++i) {
      StepRecord r;
      r.step = i;
      r.loss = 1.0 / i;
      run.steps.push_back(r);
    }
    return run;
  };
  Session session(*qobject_cast<QApplication*>(qApp), std::move(options));
  session.window().show();
  QVERIFY_EXCEPTION_THROWN(session.open_run(QStringLiteral("r2")), Error);
  session.open_run(QStringLiteral("r1"));
  QVERIFY(session.window().page() == session.window().run_page());
  QCOMPARE(session.data().loss.size(), std::size_t{100});
  QCOMPARE(session.window().run_page()->link()->to(), 100.5);
  QVERIFY(!session.window().setup_page()->job()->job().resume.has_value());
  // Continuing keeps the old curve and adds to it.
  session.window().actions()->go_on->trigger();
  QVERIFY(session.engine().job().resume == std::filesystem::path("/runs/r1"));
  QVERIFY(QTest::qWaitFor([&] { return !session.engine().is_running(); }));
  QCOMPARE(session.data().loss.size(), std::size_t{50});
}

void WindowTest::draft_stays_editable() {
  TestSession t{endless_engine()};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::training));
  const int rank = t.engine().job().preset.adapter.rank;
  QVERIFY(
      t.window().setup_page()->form()->row(QStringLiteral("adapter.rank"))->editor()->isEnabled());
  t.session->document().edit("adapter.rank", rank + 1);
  QCOMPARE(t.engine().job().preset.adapter.rank, rank);
  t.engine().request_stop(RunControl::Stop::discard);
  QVERIFY(t.wait_for_end());
}

}  // namespace mantissa::gui
