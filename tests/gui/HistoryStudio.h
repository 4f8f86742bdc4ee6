#pragma once
// A window with a history that tests fill like another process.

#include <QDir>
#include <QFile>
#include <QTableView>
#include <QtTest>
#include <cmath>

#include "engine/preset/preset_io.h"
#include "engine/store/store.h"
#include "gui/base/Text.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

/// A studio with a database that tests fill like another process.
struct HistoryStudio : TestSession {
  explicit HistoryStudio(FakeEngine fake = {}) : TestSession(std::move(fake)) {
    database = to_path(folder.filePath(QStringLiteral("runs.db")));
    QDir(folder.path()).mkpath(QStringLiteral("runs"));
  }

  RunRow row(const QString& id, const QString& state, const Preset& preset = {}) const {
    RunRow r;
    r.id = id.toStdString();
    r.name = preset.output.name;
    r.state = state.toStdString();
    r.created = 1'700'000'000'000 + counter++ * 60'000;
    r.finished = is_final_state(r.state) ? r.created + 90'000 : 0;
    r.base = "/models/sd_xl_base_1.0.safetensors";
    r.out = run_folder(id).toStdString();
    r.preset_json = to_json(preset, WriteMode::full);
    r.lock = (run_folder(id) + QStringLiteral("/run.lock")).toStdString();
    return r;
  }
  QString run_folder(const QString& id) const {
    return folder.filePath(QStringLiteral("runs/") + id);
  }
  /// The folder with its job, as written by a run.
  void make_folder(const QString& id) const {
    QDir().mkpath(run_folder(id));
    for (const char* name : {"job.json", "run.lock"}) {
      QFile file(run_folder(id) + QLatin1Char('/') + QString::fromLatin1(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("{}");
    }
  }
  static void add_steps(RunStore& store, const std::string& id, int from, int to, double level) {
    for (int i = from; i <= to; ++i) {
      StepRow s;
      s.step = i;
      s.loss = level + 0.3 * std::exp(-i / 60.0) + 0.02 * std::sin(i * 1.7);
      s.grad_norm = 0.5 + 0.2 * std::sin(i * 0.9);
      s.seconds = 0.25;
      store.add_step(id, s);
    }
    store.flush();
  }
  HistoryPage* page() { return window().history_page(); }
  /// Shows the page and waits for `rows` of them.
  void show_history(int rows) {
    show();
    window().show_page(window().history_page());
    QVERIFY(QTest::qWaitFor([&] { return page()->model()->rowCount() == rows; }));
  }
  void choose(const QStringList& ids) {
    page()->table()->clearSelection();
    auto* selection = page()->table()->selectionModel();
    const QAbstractItemModel* model = page()->table()->model();
    for (int i = 0; i < model->rowCount(); ++i) {
      if (ids.contains(model->index(i, 0).data(RunModel::kIdRole).toString())) {
        selection->select(model->index(i, 0),
                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
      }
    }
    QVERIFY(QTest::qWaitFor([&] { return page()->compare()->loaded() == ids.size(); }));
  }
  QString cell(int row, int column) {
    return page()->table()->model()->index(row, column).data().toString();
  }

  std::filesystem::path database;
  mutable int counter = 0;
};

inline Preset recipe(const char* name, int rank) {
  Preset p;
  p.output.name = name;
  p.adapter.rank = rank;
  return p;
}

}  // namespace mantissa::gui
