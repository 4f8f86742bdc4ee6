// HistoryTest: actions on runs. Resuming, duplicating, deleting, exporting.
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <cmath>

#include "engine/io/run_lock.h"
#include "engine/preset/preset_io.h"
#include "engine/run/first_steps.h"
#include "engine/store/metrics.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "engine/train/program_version.h"
#include "gui/app/SetupPage.h"
#include "gui/app/VerifyDialog.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/plot/PlotExport.h"
#include "gui/plot/PlotWidget.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/samples/ImagePane.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/HistoryStudio.h"
#include "tests/gui/HistoryTest.h"

namespace mantissa::gui {

void HistoryTest::interrupted_run_is_offered() {
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
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("was interrupted")));
  QCOMPARE(RunReader(t.database).run("cut")->state, std::string("interrupted"));
  t.window().messages()->offers().front()->click();  // Start over
  QVERIFY(QTest::qWaitFor([&] { return t.engine().is_running(); }));
  QCOMPARE(path_text(*t.engine().job().resume), t.run_folder(QStringLiteral("cut")));
  QVERIFY(t.wait_for_end());
}

void HistoryTest::duplicates_into_setup() {
  HistoryStudio t;
  {
    RunStore(t.database)
        .create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("a", 77)));
  }
  t.show_history(1);
  t.choose({QStringLiteral("r1")});
  t.page()->actions().duplicate->trigger();
  QVERIFY(t.window().page() == t.window().setup_page());
  QCOMPARE(t.session->document().preset().adapter.rank, 77);
  const QString said = t.window().messages()->text();
  QVERIFY2(said.contains(QStringLiteral("latest settings")), qPrintable(said));
}

namespace {

/// The folder of a run that has kept its first steps.
void make_traced_folder(const HistoryStudio& t, const QString& id) {
  t.make_folder(id);
  QFile trace(path_text(trace_file(to_path(t.run_folder(id)))));
  QVERIFY(trace.open(QIODevice::WriteOnly));
}

}  // namespace

void HistoryTest::verifies_a_run() {
  HistoryStudio t;
  make_traced_folder(t, QStringLiteral("r1"));
  make_traced_folder(t, QStringLiteral("changed"));
  t.make_folder(QStringLiteral("untraced"));
  {
    RunStore store(t.database);
    for (const char* id : {"r1", "changed", "untraced"}) {
      store.create_run(t.row(QString::fromLatin1(id), QStringLiteral("finished")));
    }
  }
  t.show_history(3);
  QAction* verify = t.page()->actions().verify;
  t.choose({QStringLiteral("untraced")});
  QVERIFY(!verify->isEnabled());
  t.choose({QStringLiteral("r1")});
  QVERIFY(QTest::qWaitFor([&] { return verify->isEnabled(); }));
  verify->trigger();
  VerifyDialog* dialog = nullptr;
  QVERIFY(QTest::qWaitFor([&] {
    dialog = t.window().findChild<VerifyDialog*>();
    return dialog != nullptr && dialog->isVisible();
  }));
  QCOMPARE(dialog->table()->rowCount(), 2 * 3 + 3);
  QCOMPARE(dialog->table()->item(3, 2)->text(), QStringLiteral("0.25"));
  QCOMPARE(dialog->table()->item(8, 1)->text(), QStringLiteral("0.0.9"));
  QCOMPARE(dialog->table()->item(8, 2)->text(), QStringLiteral("0.1.0"));
  QVERIFY(!dialog->verdict()->text().isEmpty());
  QVERIFY(!t.window().messages()->isVisible());
  dialog->reject();

  t.choose({QStringLiteral("changed")});
  QVERIFY(QTest::qWaitFor([&] { return verify->isEnabled(); }));
  verify->trigger();
  QVERIFY(QTest::qWaitFor(
      [&] { return t.window().messages()->text().contains(QStringLiteral("a.png has changed")); }));
}

void HistoryTest::offers_to_verify_after_an_update() {
  HistoryStudio t;
  make_traced_folder(t, QStringLiteral("r1"));
  { RunStore(t.database).create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"))); }
  const auto begin = [&](const QString& before) {
    QSettings settings(t.settings_file(), QSettings::IniFormat);
    settings.setValue(QStringLiteral("program/version"), before);
    settings.sync();
    t.start_again();
    t.show();
    t.session->begin_background();
  };
  begin(to_qstring(program_version()));
  QTest::qWait(100);
  QVERIFY(!t.window().messages()->isVisible());  // the same version
  begin(QStringLiteral("0.0.1"));
  QVERIFY(QTest::qWaitFor([&] { return !t.window().messages()->offers().empty(); }));
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("updated")));
  t.window().messages()->offers().front()->click();
  QVERIFY(QTest::qWaitFor([&] { return t.window().findChild<VerifyDialog*>() != nullptr; }));
}

void HistoryTest::deletes_and_brings_back() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("r1"));
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished")));
    HistoryStudio::add_steps(store, "r1", 1, 5, 0.1);
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished")));
  }
  t.show_history(2);
  t.choose({QStringLiteral("r1")});
  t.page()->table()->setFocus();
  QTest::keyClick(t.page()->table(), Qt::Key_Delete);
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 1; }, 5000));
  QVERIFY(!QFile::exists(t.run_folder(QStringLiteral("r1"))));
  QVERIFY(QTest::qWaitFor([&] { return !t.window().messages()->offers().empty(); }));
  t.window().messages()->offers().front()->click();  // Undo
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 2; }, 5000));
  QVERIFY(QFile::exists(t.run_folder(QStringLiteral("r1")) + QStringLiteral("/job.json")));
  QCOMPARE(RunReader(t.database).metrics("r1").size(), std::size_t{5});

  // Runs left in the trash are removed at the next start.
  t.choose({QStringLiteral("r1")});
  t.page()->actions().remove->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 1; }, 5000));
  t.session->begin_background();
  QVERIFY(QTest::qWaitFor([&] { return RunReader(t.database).summaries(true).size() == 1; }, 5000));
}

void HistoryTest::never_deletes_outside_the_runs_folder() {
  HistoryStudio t;
  const QString outside = t.folder.filePath(QStringLiteral("elsewhere/r1"));
  QDir().mkpath(outside);
  QFile job(outside + QStringLiteral("/job.json"));
  QVERIFY(job.open(QIODevice::WriteOnly));
  job.close();
  // A link within the runs folder that leads outside isn't a run's folder either.
  QFile::link(outside, t.run_folder(QStringLiteral("r2")));
  {
    RunStore store(t.database);
    RunRow row = t.row(QStringLiteral("r1"), QStringLiteral("finished"));
    row.out = outside.toStdString();
    store.create_run(row);
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished")));
  }
  t.show_history(2);
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  t.page()->actions().remove->trigger();
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 0; }, 5000));
  QVERIFY(QFile::exists(outside + QStringLiteral("/job.json")));
  QVERIFY(QTest::qWaitFor(
      [&] { return t.window().messages()->text().contains(QStringLiteral("outside")); }));
}

void HistoryTest::a_run_that_goes_on_stays() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("live"));
  const RunLock lock(to_path(t.run_folder(QStringLiteral("live")) + QStringLiteral("/run.lock")));
  { RunStore(t.database).create_run(t.row(QStringLiteral("live"), QStringLiteral("training"))); }
  t.show_history(1);
  t.choose({QStringLiteral("live")});
  t.page()->actions().remove->trigger();
  QVERIFY(QTest::qWaitFor(
      [&] { return t.window().messages()->text().contains(QStringLiteral("still running")); }));
  QCOMPARE(t.page()->model()->rowCount(), 1);
  QVERIFY(QFile::exists(t.run_folder(QStringLiteral("live"))));
}

void HistoryTest::exports() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("ab", 9)));
    HistoryStudio::add_steps(store, "r1", 1, 40, 0.1);
    store.add_event("r1", LogLevel::warning, Message::verbatim("a warning\nof two lines"));
    store.annotate("r1", "x|y", "");
    store.add_validation("r1", {.step = 20, .loss = 0.25, .images = 3});
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished"), recipe("cd", 4)));
    HistoryStudio::add_steps(store, "r2", 1, 40, 0.2);
  }
  t.show_history(2);
  // For several runs only the image of their curves can be exported.
  QToolButton* exports = nullptr;
  for (QToolButton* button : t.page()->findChildren<QToolButton*>()) {
    if (button->menu() != nullptr && button->menu()->actions().contains(t.page()->actions().csv)) {
      exports = button;
    }
  }
  QVERIFY(exports != nullptr);
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  QVERIFY(QTest::qWaitFor([&] { return exports->isEnabled(); }));
  QVERIFY(t.page()->actions().image->isEnabled() && !t.page()->actions().csv->isEnabled());
  t.choose({QStringLiteral("r1")});
  t.page()->set_save_chooser(
      [&](QWidget*, const QString& start, auto chosen) { chosen(t.folder.filePath(start)); });
  const auto read = [&](const char* name) {
    QFile file(t.folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  t.page()->actions().csv->trigger();
  const QList<QByteArray> lines = read("r1.csv").trimmed().split('\n');
  QCOMPARE(lines.size(), 41);
  QVERIFY(lines[0].startsWith("step,loss,"));
  QCOMPARE(lines[40].split(',').at(0), QByteArray("40"));
  QVERIFY2(lines[20].endsWith(",0.25"), lines[20].constData());
  RunReader reader(t.database);
  QCOMPARE(read("r1.csv").toStdString(),
           metrics_csv(reader.metrics("r1"), reader.validation("r1")));
  t.page()->actions().image->trigger();
  QVERIFY(!QImage(t.folder.filePath(QStringLiteral("r1.png"))).isNull());
  // From the menus of the plots too.
  emit t.page()->compare()->grad_plot()->export_requested(PlotFormat::csv);
  QVERIFY(read("r1.csv").startsWith("step,seconds,\"ab"));
  if (can_write_svg()) {
    t.page()->actions().drawing->trigger();
    QVERIFY(read("r1.svg").contains("<svg"));
  }
  t.page()->actions().report->trigger();
  const QString report = QString::fromUtf8(read("r1.md"));
  QVERIFY2(report.contains(QStringLiteral("# ab")), qPrintable(report));
  QVERIFY(report.contains(QStringLiteral("| adapter.rank | 9 | 16 |")));
  QVERIFY(report.contains(QStringLiteral("x\\|y")));
  QVERIFY(report.contains(QStringLiteral("- a warning of two lines")));
  QVERIFY(!report.contains(t.folder.path()));  // no paths of this machine
  t.page()->set_save_chooser(
      [](QWidget*, const QString&, auto chosen) { chosen(QStringLiteral("/no/such/folder/x")); });
  t.page()->actions().report->trigger();
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("/no/such/folder/x.md")));
}

void HistoryTest::failed_runs_say_why() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    for (const char* id : {"bad", "noted", "good"}) {
      const bool good = QLatin1String(id) == QLatin1String("good");
      store.create_run(t.row(QString::fromLatin1(id),
                             good ? QStringLiteral("finished") : QStringLiteral("failed"),
                             recipe(id, 8)));
      HistoryStudio::add_steps(store, id, 1, 10, 0.1);
      store.add_event(id, LogLevel::error, Message::verbatim("the disk was full for a while"));
      store.add_event(id, LogLevel::error, Message::verbatim("loss is not finite"));
      store.add_event(id, LogLevel::info, Message::verbatim("the log is closed"));
    }
    store.annotate("noted", "", "my note");
  }
  t.show_history(3);
  // Newest first: good, noted, bad.
  QCOMPARE(t.cell(2, RunModel::note), QStringLiteral("Loss is not finite"));
  QCOMPARE(t.cell(1, RunModel::note), QStringLiteral("my note"));
  QCOMPARE(t.cell(0, RunModel::note), QString());
  const QAbstractItemModel* model = t.page()->table()->model();
  QCOMPARE(model->index(1, RunModel::state).data(Qt::ToolTipRole).toString(),
           QStringLiteral("Loss is not finite"));
  QCOMPARE(model->index(2, RunModel::note).data(Qt::EditRole).toString(), QString());
}

void HistoryTest::runs_cancelled_before_their_first_step_are_out_of_the_way() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("done"), QStringLiteral("finished"), recipe("done", 8)));
    HistoryStudio::add_steps(store, "done", 1, 10, 0.1);
    store.create_run(t.row(QStringLiteral("none"), QStringLiteral("stopped"), recipe("none", 8)));
    store.create_run(t.row(QStringLiteral("some"), QStringLiteral("stopped"), recipe("some", 8)));
    HistoryStudio::add_steps(store, "some", 1, 5, 0.1);
  }
  t.show_history(3);
  const auto names = [&] {
    QStringList list;
    for (int row = 0; row < t.page()->table()->model()->rowCount(); ++row) {
      list << t.cell(row, RunModel::name);
    }
    return list;
  };
  QCOMPARE(names(), (QStringList{QStringLiteral("some"), QStringLiteral("done")}));
  const auto told = [&] {
    for (const QLabel* label : t.page()->findChildren<QLabel*>()) {
      if (label->text().contains(QStringLiteral("cancelled"))) {
        return true;
      }
    }
    return false;
  };
  QVERIFY(told());
  QComboBox* state = t.page()->state_filter();
  state->setCurrentIndex(state->findData(QStringLiteral("stopped")));
  QCOMPARE(names(), (QStringList{QStringLiteral("some"), QStringLiteral("none")}));
}

void HistoryTest::compare_chooses_the_run_and_another() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    for (const char* id : {"same", "shown", "later"}) {
      RunRow row = t.row(QString::fromLatin1(id), QStringLiteral("finished"), recipe(id, 8));
      if (QLatin1String(id) == QLatin1String("later")) {
        row.base = "/models/another.safetensors";
      }
      store.create_run(row);
      HistoryStudio::add_steps(store, id, 1, 10, 0.1);
    }
  }
  t.show();
  QVERIFY(!t.page()->compare_with_another(QStringLiteral("shown")));  // not read yet
  t.window().show_page(t.page());
  QTRY_COMPARE(t.page()->chosen(), (QStringList{QStringLiteral("shown"), QStringLiteral("same")}));
  QTRY_COMPARE(t.page()->compare()->loaded(), 2);
  QVERIFY(t.page()->compare_with_another(QStringLiteral("later")));
  QCOMPARE(t.page()->chosen(), (QStringList{QStringLiteral("later"), QStringLiteral("shown")}));
}

void HistoryTest::an_earlier_run_is_not_told_as_the_last() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("interrupted"), recipe("r1", 8)));
    HistoryStudio::add_steps(store, "r1", 1, 60, 0.1);
  }
  t.show();
  const RunActions& actions = *t.window().actions();
  actions.start->trigger();
  QVERIFY(t.wait_for_end());
  const RunBar* bar = t.window().run_bar();
  QVERIFY2(bar->details().contains(QStringLiteral("50 / 1000")), qPrintable(bar->details()));
  t.session->open_run(QStringLiteral("r1"));
  QCOMPARE(bar->state_text(), QStringLiteral("Ready"));
  QVERIFY2(bar->details().isEmpty(), qPrintable(bar->details()));
  QVERIFY(actions.go_on->isEnabled() && bar->button(actions.go_on)->isVisible());
}

void HistoryTest::curves_are_smoothed_as_on_the_train_page() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("r1", 8)));
    HistoryStudio::add_steps(store, "r1", 1, 60, 0.1);
  }
  t.show_history(1);
  t.choose({QStringLiteral("r1")});
  t.session->open_run(QStringLiteral("r1"));
  RunPage* train = t.window().run_page();
  const auto values = [](const PlotWidget* plot) {
    return plot->series().front().smoothed->store().values().back();
  };
  for (const int position : {66, 20, 40}) {
    train->smoothing()->setValue(position);
    t.session->data().loss_smooth.update(t.session->data().loss);
    QCOMPARE(values(t.page()->compare()->loss_plot()), values(train->loss_plot()));
  }
}

}  // namespace mantissa::gui
