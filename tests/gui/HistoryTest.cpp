#include "tests/gui/HistoryTest.h"

#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <utility>

#include "engine/io/run_lock.h"
#include "engine/run/run_notes.h"
#include "engine/store/reader.h"
#include "engine/store/store.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/ToolRow.h"
#include "tests/gui/HistoryStudio.h"

namespace mantissa::gui {

void HistoryTest::empty_history_says_so() {
  HistoryStudio t;
  t.show();
  t.window().show_page(t.window().history_page());
  const auto states = t.page()->findChildren<EmptyState*>();
  QVERIFY(std::any_of(states.begin(), states.end(), [](const EmptyState* e) {
    return e->isVisible() && e->text().contains(QStringLiteral("No runs yet"));
  }));
}

void HistoryTest::lists_searches_and_filters() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(
        t.row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("portrait", 8)));
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("failed"), recipe("style", 32)));
    RunRow odd = t.row(QStringLiteral("r3"), QStringLiteral("stopped"), recipe("house", 4));
    odd.name = "<b>house";
    store.create_run(odd);
    HistoryStudio::add_steps(store, "r1", 1, 12, 0.1);
    HistoryStudio::add_steps(store, "r3", 1, 2, 0.1);
    store.annotate("r1", "people, good", "the one to keep");
    store.annotate("r2", "good", "");
  }
  t.show_history(3);
  QCOMPARE(t.cell(0, RunModel::name), QStringLiteral("<b>house"));  // newest first
  QCOMPARE(t.cell(2, RunModel::adapter), QStringLiteral("LoRA 8"));
  QCOMPARE(t.cell(2, RunModel::steps), QStringLiteral("12"));
  QCOMPARE(t.cell(2, RunModel::time), QStringLiteral("1:30"));
  QCOMPARE(t.cell(2, RunModel::base), QStringLiteral("sd_xl_base_1.0.safetensors"));
  QVERIFY(!t.cell(2, RunModel::loss).isEmpty());
  QVERIFY(t.cell(1, RunModel::loss).isEmpty());
  // Text from files is never markup.
  QVERIFY(t.page()
              ->table()
              ->model()
              ->index(0, 0)
              .data(Qt::ToolTipRole)
              .toString()
              .startsWith(QStringLiteral("r3")));
  const auto rows = [&] { return t.page()->table()->model()->rowCount(); };
  t.page()->search()->setText(QStringLiteral("port keep"));
  QCOMPARE(rows(), 1);
  t.page()->search()->setText(QStringLiteral("lora 32"));
  QCOMPARE(rows(), 1);
  QCOMPARE(t.cell(0, RunModel::name), QStringLiteral("style"));
  t.page()->search()->setText(QStringLiteral("nothing like it"));
  QCOMPARE(rows(), 0);
  t.page()->search()->clear();
  QComboBox* tags = t.page()->tag_filter();
  QCOMPARE(tags->count(), 3);
  tags->setCurrentIndex(tags->findText(QStringLiteral("people")));
  QCOMPARE(rows(), 1);
  tags->setCurrentIndex(tags->findText(QStringLiteral("good")));
  QCOMPARE(rows(), 2);
  tags->setCurrentIndex(0);
  QComboBox* states = t.page()->state_filter();
  states->setCurrentIndex(states->findData(QStringLiteral("failed")));
  QCOMPARE(rows(), 1);
  states->setCurrentIndex(0);
  // Sorted by loss, runs without one come last in either order.
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    t.page()->table()->sortByColumn(RunModel::loss, order);
    QVERIFY(!t.cell(0, RunModel::loss).isEmpty());
    QVERIFY(t.cell(rows() - 1, RunModel::loss).isEmpty());
  }
  t.page()->table()->sortByColumn(RunModel::steps, Qt::DescendingOrder);
  QCOMPARE(t.cell(0, RunModel::name), QStringLiteral("portrait"));
}

/// In a narrow window columns shrink, then the least important ones go; what is edited stays.
void HistoryTest::the_list_never_scrolls_sideways() {
  HistoryStudio t;
  RunStore(t.database).create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished")));
  t.show_history(1);
  QTableView* table = t.page()->table();
  int before = RunModel::column_count;
  for (const int width : {2560, 1366, 1024, 900}) {
    t.window().resize(width, 700);
    QTest::qWait(50);
    QVERIFY2(table->horizontalScrollBar()->maximum() == 0, qPrintable(QString::number(width)));
    int shown = 0;
    for (int column = 0; column < RunModel::column_count; ++column) {
      const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
      const bool hidden = table->isColumnHidden(column);
      shown += hidden ? 0 : 1;
      QVERIFY2(
          hidden || table->columnWidth(column) >= table->fontMetrics().horizontalAdvance(title),
          qPrintable(title));
    }
    QVERIFY(shown <= before);
    QVERIFY(width < 1366 || shown == RunModel::column_count);
    QVERIFY(width < 1024 || shown >= RunModel::column_count - 1);
    before = shown;
    for (const int column :
         {RunModel::name, RunModel::state, RunModel::loss, RunModel::tags, RunModel::note}) {
      QVERIFY(!table->isColumnHidden(column));
    }
    // The names of a sweep's runs are the longest.
    for (const int column : {RunModel::tags, RunModel::note}) {
      QVERIFY(width < 1366 || table->columnWidth(column) < table->columnWidth(RunModel::name));
    }
  }
  // The name's tooltip has what is left out.
  const QString whole = table->model()->index(0, RunModel::name).data(Qt::ToolTipRole).toString();
  QVERIFY2(whole.contains(QStringLiteral("1:30")), qPrintable(whole));
  // What the user has resized stays.
  table->setColumnWidth(RunModel::name, 300);
  t.window().resize(1366, 700);
  QTest::qWait(50);
  QCOMPARE(table->columnWidth(RunModel::name), 300);
}

void HistoryTest::tags_and_notes_are_kept() {
  HistoryStudio t;
  { RunStore(t.database).create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished"))); }
  t.show_history(1);
  QAbstractItemModel* model = t.page()->table()->model();
  QVERIFY(
      model->setData(model->index(0, RunModel::tags), QStringLiteral(" a ,b,, a"), Qt::EditRole));
  QCOMPARE(t.cell(0, RunModel::tags), QStringLiteral("a, b"));
  QVERIFY(model->setData(model->index(0, RunModel::note), QStringLiteral("naïve ✓"), Qt::EditRole));
  QVERIFY(!model->setData(model->index(0, RunModel::name), QStringLiteral("x"), Qt::EditRole));
  // By a double click, and from the menu.
  QTableView* table = t.page()->table();
  const auto edited = [&] { return table->viewport()->findChild<QLineEdit*>() != nullptr; };
  t.window().resize(1366, 700);  // narrower ones have no such column
  QTRY_VERIFY(!table->isColumnHidden(RunModel::note));
  table->selectRow(0);
  const QPoint note = table->visualRect(model->index(0, RunModel::note)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, note);
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, note);
  QVERIFY(edited());
  QTest::keyClick(table->viewport()->findChild<QLineEdit*>(), Qt::Key_Escape);
  QTRY_VERIFY(!edited());
  t.page()->actions().tags->trigger();
  QVERIFY(edited());
  QTest::keyClick(table->viewport()->findChild<QLineEdit*>(), Qt::Key_Escape);
  QTRY_VERIFY(!edited());
  QVERIFY(QTest::qWaitFor([&] {
    const auto list = RunReader(t.database).summaries();
    return list[0].tags == "a, b" && list[0].note == "naïve ✓";
  }));
  QVERIFY(QTest::qWaitFor([&] { return t.page()->tag_filter()->findText(QStringLiteral("b")) > 0; },
                          5000));
}

void HistoryTest::opens_a_live_run_on_the_train_page() {
  HistoryStudio t;
  t.make_folder(QStringLiteral("live"));
  RunStore store(t.database);
  store.create_run(t.row(QStringLiteral("live"), QStringLiteral("training"), recipe("live", 8)));
  auto lock = std::make_unique<RunLock>(
      to_path(t.run_folder(QStringLiteral("live")) + QStringLiteral("/run.lock")));
  HistoryStudio::add_steps(store, "live", 1, 20, 0.1);
  t.show_history(1);
  t.choose({QStringLiteral("live")});
  t.page()->actions().open->trigger();
  QVERIFY(t.window().page() == t.window().run_page());
  QVERIFY(t.session->run_watcher().is_watching());
  QCOMPARE(t.session->data().step(), std::int64_t{20});
  QVERIFY(!t.window().setup_page()->job()->job().resume.has_value());
  HistoryStudio::add_steps(store, "live", 21, 33, 0.1);
  store.add_sample("live", {30, 0, "p", make_test_image(t.folder.path(), 3).toStdString()});
  store.add_health("live", {.step = 25, .rows = {{.layer = "unet.conv_in"}}});
  store.add_validation("live", {.step = 30, .loss = 0.25});
  store.flush();
  QVERIFY(QTest::qWaitFor([&] { return t.session->data().step() == 33; }, 5000));
  const HealthData& health = t.session->data().health;
  QVERIFY(QTest::qWaitFor([&] { return health.size() == 1; }, 5000));
  store.add_health("live", {.step = 30, .rows = {{.layer = "unet.conv_in"}}});
  store.flush();
  QVERIFY(QTest::qWaitFor([&] { return health.size() == 2; }, 5000));
  QCOMPARE(t.session->data().validation.size(), std::size_t{1});
  QVERIFY(QTest::qWaitFor([&] { return t.session->samples().columnCount() == 1; }, 5000));
  store.set_state("live", "finished");
  store.flush();
  QVERIFY(QTest::qWaitFor([&] { return !t.session->run_watcher().is_watching(); }, 5000));
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("Finished")));
}

void HistoryTest::rows_change_in_place() {
  Theme theme;
  RunModel model(
      &theme, [](const RunSummary& run) { return to_qstring(run.name); },
      [](const RunSummary&) { return QString(); });
  std::vector<RunSummary> runs(4);
  for (int i = 0; i < 4; ++i) {
    runs[static_cast<std::size_t>(i)].id = "r" + std::to_string(9 - i);
    runs[static_cast<std::size_t>(i)].state = "finished";
  }
  model.set_runs(runs);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  const QPersistentModelIndex third(model.index(2, 0));
  runs.erase(runs.begin() + 1);
  RunSummary fresh = runs[0];
  fresh.id = "r99";
  runs.insert(runs.begin(), fresh);
  runs[2].steps = 5;
  model.set_runs(runs);
  QCOMPARE(reset.count(), 0);
  QCOMPARE(model.rowCount(), 4);
  QCOMPARE(third.row(), 2);
  QCOMPARE(third.data(RunModel::kIdRole).toString(), QStringLiteral("r7"));
  QCOMPARE(model.index(2, RunModel::steps).data().toString(), QStringLiteral("5"));
  QCOMPARE(model.index(0, 0).data(RunModel::kIdRole).toString(), QStringLiteral("r99"));
}

void HistoryTest::tools_fit_the_smallest_window() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished")));
  }
  t.show_history(1);
  const auto tools = t.page()->findChild<ToolRow*>();
  QVERIFY(tools != nullptr);
  const auto export_tool = [&] {
    for (QToolButton* button : tools->findChildren<QToolButton*>()) {
      if (button->accessibleName() == QStringLiteral("Export")) {
        return button;
      }
    }
    return static_cast<QToolButton*>(nullptr);
  };
  t.window().resize(1280, 860);
  QTRY_COMPARE(export_tool()->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
  t.window().resize(900, 600);
  QTRY_COMPARE(export_tool()->toolButtonStyle(), Qt::ToolButtonIconOnly);
  QTRY_COMPARE(tools->horizontalScrollBar()->maximum(), 0);
  QVERIFY(!export_tool()->toolTip().isEmpty());
  t.window().resize(1280, 860);
  QTRY_COMPARE(export_tool()->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
}

void HistoryTest::ten_thousand_runs() {
  HistoryStudio t;
  // All in few transactions: the writer batches queued rows.
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("seed"), QStringLiteral("finished"), recipe("many", 8)));
    HistoryStudio::add_steps(store, "seed", 1, 3, 0.1);
  }
  const QByteArray sql = QByteArrayLiteral(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)\n"
      "INSERT INTO runs SELECT 1 + i, 'run' || i, name, state, created + i, finished + i, base, "
      "out,"
      " preset, plan, seed, host, process, lock FROM runs, n WHERE key = 1;\n"
      "INSERT INTO summaries SELECT key, 'LoRA 8', 'bf16 / bf16', '', '', 0, '' FROM runs WHERE "
      "key > "
      "1;\n"
      "INSERT INTO metrics SELECT r.key, m.step, m.loss, m.grad_norm, m.clip_norm, m.loss_scale, "
      "m.lost_update, m.update_ratio, m.seconds, m.clipped, m.skipped FROM metrics m, "
      "runs r "
      "WHERE m.run = 1 AND r.key > 1;");
  QProcess sqlite;
  sqlite.start(QStringLiteral("sqlite3"), {path_text(t.database)});
  if (!sqlite.waitForStarted()) {
    QSKIP("the sqlite3 program is not here");
  }
  sqlite.write(sql);
  sqlite.closeWriteChannel();
  QVERIFY(sqlite.waitForFinished(60000) && sqlite.exitCode() == 0);
  t.show();
  QElapsedTimer clock;
  clock.start();
  t.window().show_page(t.window().history_page());
  QVERIFY(QTest::qWaitFor([&] { return t.page()->model()->rowCount() == 10000; }, 30000));
  t.page()->table()->repaint();
  qInfo("10,000 runs listed and painted in %lld ms", static_cast<long long>(clock.elapsed()));
  clock.restart();
  t.page()->search()->setText(QStringLiteral("run999"));
  qInfo("searched in %lld ms", static_cast<long long>(clock.elapsed()));
  QCOMPARE(t.page()->table()->model()->rowCount(), 11);
}

void HistoryTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    const QString name = mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light");
    HistoryStudio t;
    t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    const QString samples[] = {make_test_image(t.folder.path(), 1),
                               make_test_image(t.folder.path(), 4)};
    {
      RunStore store(t.database);
      const char* states[] = {"finished", "failed",   "interrupted",
                              "stopped",  "finished", "training"};
      const char* names[] = {"portrait-xl",
                             "ink-style",
                             "portrait-xl",
                             "house-concept",
                             "a very long name of a run that somebody gave it in a hurry",
                             "zorb"};
      for (int i = 0; i < 6; ++i) {
        Preset p = recipe(names[i], 8 << (i % 3));
        p.optimizer.learning_rate = i % 2 == 0 ? 1e-4 : 3e-4;
        p.adapter.type = i % 3 == 1 ? AdapterType::dora : AdapterType::lora;
        const QString id = QStringLiteral("20261121-09%1-%2")
                               .arg(i + 10)
                               .arg(QString::fromLatin1(names[i]).left(12));
        store.create_run(t.row(id, QString::fromLatin1(states[i]), p));
        HistoryStudio::add_steps(store, id.toStdString(), 1, 300 + 100 * i, 0.08 + 0.02 * i);
        if (i % 2 == 0) {
          store.annotate(id.toStdString(), "people, keep", "sharper than the one before");
        }
        store.add_sample(id.toStdString(),
                         {200, 0, "a red disc on a wall", samples[i % 2].toStdString()});
      }
      store.flush();
    }
    t.show_history(6);
    const auto id_at = [&](int row) {
      return t.page()->table()->model()->index(row, 0).data(RunModel::kIdRole).toString();
    };
    t.choose({id_at(1), id_at(3), id_at(5)});
    const std::pair<ComparePage::View, const char*> views[] = {{ComparePage::curves, "curves"},
                                                               {ComparePage::settings, "settings"},
                                                               {ComparePage::samples, "samples"}};
    QDir().mkpath(keep + QLatin1Char('/') + name);
    for (const auto& [view, word] : views) {
      t.page()->compare()->show_view(view);
      QTest::qWait(100);
      QVERIFY(t.window().grab().save(
          QStringLiteral("%1/%2/history-%3.png").arg(keep, name, QString::fromLatin1(word))));
    }
  }
}

}  // namespace mantissa::gui
