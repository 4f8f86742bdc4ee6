// HistoryTest: the selected runs side by side. Curves, settings and samples; runs in progress.
#include <QSlider>
#include <QTableWidget>
#include <QtTest>
#include <filesystem>
#include <utility>

#include "engine/io/run_lock.h"
#include "engine/store/setting_changes.h"
#include "engine/store/store.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/plot/PlotWidget.h"
#include "gui/run/RunPage.h"
#include "gui/samples/ImagePane.h"
#include "tests/gui/HistoryStudio.h"
#include "tests/gui/HistoryTest.h"

namespace mantissa::gui {

void HistoryTest::compares_runs() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    Preset slow = recipe("b", 8);
    slow.optimizer.learning_rate = 5e-5;
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("a", 8)));
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished"), slow));
    HistoryStudio::add_steps(store, "r1", 1, 50, 0.1);
    HistoryStudio::add_steps(store, "r2", 1, 80, 0.2);
    store.add_event("r2", LogLevel::info,
                    setting_changed({"optimizer.learning_rate", 3e-4, 5e-5, 40}));
    // The last is lowest, but not beyond its error.
    const std::pair<std::int64_t, std::pair<double, double>> losses[] = {
        {0, {1, 2}}, {20, {0.5, 1.5}}, {40, {0.502, 1.496}}};
    for (const auto& [step, each] : losses) {
      store.add_validation("r1", {step,
                                  (each.first + each.second) / 2,
                                  2,
                                  1,
                                  {{0, "a.png", each.first}, {1, "b.png", each.second}}});
      if (step > 0) {
        const std::filesystem::path folder =
            to_path(t.folder.filePath(QStringLiteral("step-%1").arg(step)));
        std::filesystem::create_directories(folder);
        store.add_checkpoint("r1", {step, path_to_utf8(folder), 1});
        store.add_sample("r1", {step, 0, "x", "x.png", step == 20 ? 0.3 : 1.0, 1.0, "a.png"});
      }
    }
  }
  t.show_history(2);
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  ComparePage* compare = t.page()->compare();
  const auto& series = compare->loss_plot()->series();
  QCOMPARE(series.size(), std::size_t{2});
  QCOMPARE(series[0].raw->size() + series[1].raw->size(), std::size_t{130});
  QVERIFY(series[0].color != series[1].color);
  const QTableWidget* table = compare->settings_table();
  QStringList keys;
  for (int i = 0; i < table->rowCount(); ++i) {
    keys << table->item(i, 0)->toolTip();
  }
  QVERIFY(keys.contains(QStringLiteral("optimizer.learning_rate")));
  const auto rate = keys.indexOf(QStringLiteral("optimizer.learning_rate"));
  QStringList rates;
  for (int column = 1; column < table->columnCount(); ++column) {
    rates << table->item(static_cast<int>(rate), column)->text();
  }
  QVERIFY2(rates.contains(QStringLiteral("3e-4; 5e-5 from step 41")),
           qPrintable(rates.join(QLatin1Char('|'))));
  QVERIFY(keys.contains(QStringLiteral("output.name")));
  QVERIFY(!keys.contains(QStringLiteral("adapter.rank")));  // the same in both
  QVERIFY(!table->findItems(QStringLiteral("Learning rate"), Qt::MatchExactly).isEmpty());
  QCOMPARE(table->columnCount(), 3);
  const auto suggested = table->findItems(QStringLiteral("Suggested checkpoint"), Qt::MatchExactly);
  QCOMPARE(suggested.size(), 1);
  const int row = suggested.first()->row();
  const int of_r1 = table->horizontalHeaderItem(1)->text() == QLatin1String("a") ? 1 : 2;
  QCOMPARE(table->item(row, of_r1)->text(), QStringLiteral("Step 20"));
  QVERIFY2(table->item(row, of_r1)->toolTip().contains(QLatin1String("step 40 is lower by only")),
           qPrintable(table->item(row, of_r1)->toolTip()));
  QCOMPARE(table->item(row, 3 - of_r1)->text(), QString());
  // Of the suggested checkpoint, not of the last.
  const auto memorising = table->findItems(QStringLiteral("Memorising"), Qt::MatchExactly);
  QCOMPARE(memorising.size(), 1);
  const QTableWidgetItem* sign = table->item(memorising.first()->row(), of_r1);
  QCOMPARE(sign->text(), QStringLiteral("A sign at step 20"));
  QVERIFY(sign->toolTip().contains(QLatin1String("0.30 times as far")));
  t.choose({QStringLiteral("r1")});
  QCOMPARE(compare->loss_plot()->series().size(), std::size_t{1});
  QCOMPARE(table->horizontalHeaderItem(2)->text(), QStringLiteral("Default"));
}

/// Also after a longer run was in view.
void HistoryTest::axis_ends_with_the_last_step() {
  HistoryStudio t;
  RunStore store(t.database);
  for (const char* id : {"long", "short1", "short2", "two"}) {
    store.create_run(t.row(QString::fromLatin1(id), QStringLiteral("finished"), recipe(id, 8)));
    HistoryStudio::add_steps(store, id, 1, id[0] == 'l' ? 21 : id[0] == 't' ? 2 : 6, 0.1);
  }
  t.show_history(4);
  PlotWidget* plot = t.page()->compare()->loss_plot();
  const auto axis_end = [&] { return plot->link()->to(); };
  t.choose({QStringLiteral("short1"), QStringLiteral("short2")});
  QVERIFY2(axis_end() < 7, qPrintable(QString::number(axis_end())));
  t.choose({QStringLiteral("long"), QStringLiteral("short1")});
  QVERIFY2(axis_end() > 21 && axis_end() < 22, qPrintable(QString::number(axis_end())));
  t.choose({QStringLiteral("short1"), QStringLiteral("short2")});
  QVERIFY2(axis_end() < 7, qPrintable(QString::number(axis_end())));
  t.choose({QStringLiteral("two")});
  QVERIFY2(axis_end() < 3, qPrintable(QString::number(axis_end())));
}

void HistoryTest::same_prompt_side_by_side() {
  HistoryStudio t;
  const QString one = make_test_image(t.folder.path(), 1),
                two = make_test_image(t.folder.path(), 2);
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("a", 8)));
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished"), recipe("b", 8)));
    store.add_sample("r1", {10, 0, "a red disc", one.toStdString()});
    store.add_sample("r1", {20, 0, "a red disc", one.toStdString()});
    store.add_sample("r2", {15, 0, "a red disc", two.toStdString()});
    store.add_sample("r2", {15, 1, "a hill", two.toStdString()});
    store.flush();
  }
  t.show_history(2);
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  ComparePage* compare = t.page()->compare();
  compare->show_view(ComparePage::samples);
  const auto with_image = [&] {
    int n = 0;
    for (const ImagePane* pane : compare->findChildren<ImagePane*>()) {
      n += pane->has_image() ? 1 : 0;
    }
    return n;
  };
  QCOMPARE(with_image(), 2);
  auto* step = compare->findChild<QSlider*>();
  step->setValue(0);  // step 10: the second run has none yet
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  QCOMPARE(with_image(), 1);
}

void HistoryTest::a_run_of_another_program_is_watched() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("live"));
  RunStore store(t.database);
  store.create_run(t.row(QStringLiteral("live"), QStringLiteral("training"), recipe("live", 8)));
  auto lock = std::make_unique<RunLock>(
      to_path(t.run_folder(QStringLiteral("live")) + QStringLiteral("/run.lock")));
  HistoryStudio::add_steps(store, "live", 1, 20, 0.1);
  t.show_history(1);
  QCOMPARE(t.cell(0, RunModel::state), QStringLiteral("Training"));
  t.choose({QStringLiteral("live")});
  const auto points = [&] { return t.page()->compare()->loss_plot()->series().at(0).raw->size(); };
  QCOMPARE(points(), std::size_t{20});
  store.add_rates("live", {40, 8.5, {{0, "a", 5, 1, false}, {1, "b", 3.5, 1, true}}});
  HistoryStudio::add_steps(store, "live", 21, 45, 0.1);
  QVERIFY(QTest::qWaitFor([&] { return points() == 45; }, 5000));
  QVERIFY(
      QTest::qWaitFor([&] { return t.cell(0, RunModel::steps) == QStringLiteral("45"); }, 5000));
  // Its processes, with the slow one, while it trains.
  const auto value_of = [&](const char* name) {
    const QTableWidget* table = t.page()->compare()->settings_table();
    for (int row = 0; row < table->rowCount(); ++row) {
      if (table->item(row, 0)->text() == QLatin1String(name)) {
        return table->item(row, 1)->text();
      }
    }
    return QString();
  };
  QVERIFY(QTest::qWaitFor([&] { return value_of("Images per second") == QStringLiteral("8.5"); }));
  QCOMPARE(value_of("Cards or processes"), QStringLiteral("0 on a: 5/s; 1 on b: 3.5/s, slow"));
  store.set_state("live", "finished");
  store.flush();
  lock.reset();
  QVERIFY(QTest::qWaitFor([&] { return t.cell(0, RunModel::state) == QStringLiteral("Finished"); },
                          5000));
}

void HistoryTest::a_finished_run_that_goes_on_is_drawn_again() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("r1"));
  RunStore store(t.database);
  store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("r1", 8)));
  HistoryStudio::add_steps(store, "r1", 1, 20, 0.1);
  t.show_history(1);
  t.choose({QStringLiteral("r1")});
  const auto points = [&] { return t.page()->compare()->loss_plot()->series().at(0).raw->size(); };
  const auto event_count = [&] {
    return t.page()->compare()->detail(QStringLiteral("r1"))->events.size();
  };
  store.add_event("r1", LogLevel::info, Message::verbatim("kept once"));
  store.flush();
  QCOMPARE(points(), std::size_t{20});
  auto lock = std::make_unique<RunLock>(
      to_path(t.run_folder(QStringLiteral("r1")) + QStringLiteral("/run.lock")));
  // From a checkpoint before its end.
  store.resume_run("r1", 15, "training", "host", 1);
  HistoryStudio::add_steps(store, "r1", 16, 18, 0.9);
  QVERIFY(QTest::qWaitFor([&] { return points() == 18; }, 5000));
  QVERIFY(t.page()->compare()->loss_plot()->series().at(0).raw->values().back() > 0.8);
  QCOMPARE(event_count(), std::size_t{1});
  HistoryStudio::add_steps(store, "r1", 19, 45, 0.9);
  QVERIFY(QTest::qWaitFor([&] { return points() == 45; }, 5000));
  store.set_state("r1", "finished");
  store.flush();
  lock.reset();
  QVERIFY(QTest::qWaitFor([&] { return t.cell(0, RunModel::state) == QStringLiteral("Finished"); },
                          5000));
  // A continuation that ended between two looks.
  store.resume_run("r1", 45, "training", "host", 1);
  HistoryStudio::add_steps(store, "r1", 46, 50, 0.9);
  store.set_state("r1", "finished");
  store.flush();
  QVERIFY(QTest::qWaitFor([&] { return points() == 50; }, 5000));
}

void HistoryTest::legends_have_the_tables_names() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    for (const char* id : {"run-aaaa", "run-bbbb"}) {
      store.create_run(
          t.row(QString::fromLatin1(id), QStringLiteral("finished"), recipe("lora", 8)));
      HistoryStudio::add_steps(store, id, 1, 6, 0.1);
    }
    store.create_run(
        t.row(QStringLiteral("run-cccc"), QStringLiteral("finished"), recipe("own", 8)));
  }
  t.show_history(3);
  t.choose({QStringLiteral("run-aaaa"), QStringLiteral("run-bbbb")});
  QStringList names;
  for (int row = 0; row < 3; ++row) {
    names << t.cell(row, RunModel::name);
  }
  QCOMPARE(names, (QStringList{QStringLiteral("own"), QStringLiteral("lora · bbbb"),
                               QStringLiteral("lora · aaaa")}));
  for (const PlotSeries& series : t.page()->compare()->loss_plot()->series()) {
    QVERIFY2(names.contains(series.name), qPrintable(series.name));
  }
  // Six steps fill the axis.
  QVERIFY(t.page()->compare()->loss_plot()->link()->to() < 8);
}

}  // namespace mantissa::gui
