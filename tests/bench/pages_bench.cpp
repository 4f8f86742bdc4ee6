// The longest stall of the window's thread on each page, with as much data as it must bear.
// pages_bench FOLDER [images] [looks] [runs]: FOLDER keeps images and runs for the next time. One
// run has layer statistics of SDXL's layers at `looks` steps. Every page with each of its views,
// and every dialog, with a limit: the exit status is 1 if the window stands still for longer.

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "engine/preset/preset_io.h"
#include "engine/store/store.h"
#include "gui/app/HelpDialog.h"
#include "gui/app/PageTable.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/precision/HealthView.h"
#include "gui/precision/HeatMap.h"
#include "gui/precision/ProbeView.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/BaseFilesDialog.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/samples/SampleGrid.h"
#include "tests/bench/stalls.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

constexpr int kLayers = 800, kSteps = 500, kBigSteps = 10'000;
constexpr const char* kBig = "big";
constexpr double kMostMs = 50;  ///< of CPU time that a click may wait

int measured = 0, too_long = 0;

/// Outputs of SDXL's adapted layers, worse with the steps.
HealthRecord look_at(std::int64_t step) {
  HealthRecord record;
  record.step = step;
  record.rows.resize(kLayers);
  for (int i = 0; i < kLayers; ++i) {
    HealthRow& row = record.rows[static_cast<std::size_t>(i)];
    row.layer = "unet.down_blocks." + std::to_string(i % 3) + ".attentions." +
                std::to_string(i % 2) + ".transformer_blocks." + std::to_string(i % 10) +
                ".attn1.to_" + std::to_string(i);
    row.kind = HealthKind::output;
    row.format = DType::f16;
    row.statistics.count = 4096;
    row.statistics.underflow = (step / 50 + i) % 400;
    row.statistics.amax = row.statistics.scaled_amax = 10 + i;
    row.statistics.signal = 100;
    row.statistics.noise = 0.01 * (1 + i % 7);
    row.statistics.histogram[30] = 4096;
  }
  return record;
}

void add_run(RunStore& store, const QString& folder, const QString& id, int steps) {
  RunRow row;
  row.id = id.toStdString();
  row.name = "run " + row.id;
  row.state = "stopped";
  row.created = 1'700'000'000'000;
  row.finished = row.created + 90'000;
  row.base = "/models/sd_xl_base_1.0.safetensors";
  row.out = (folder + QStringLiteral("/runs/") + id).toStdString();
  row.preset_json = to_json(Preset{}, WriteMode::full);
  store.create_run(row);
  for (int i = 1; i <= steps; ++i) {
    StepRow s;
    s.step = i;
    s.loss = 0.1 + 0.3 * std::exp(-i / 60.0) + 0.02 * std::sin(i * 1.7);
    s.grad_norm = 0.5 + 0.2 * std::sin(i * 0.9);
    s.seconds = 0.25;
    store.add_step(row.id, s);
  }
}

void make_runs(const QString& folder, int looks, int runs) {
  const QString file = folder + QStringLiteral("/runs.db");
  if (QFile::exists(file)) {
    return;
  }
  RunStore store(to_path(file));
  for (int i = 1; i < runs; ++i) {
    add_run(store, folder, QStringLiteral("r%1").arg(i, 3, 10, QLatin1Char('0')), kSteps);
    store.flush();
  }
  add_run(store, folder, QString::fromLatin1(kBig), kBigSteps);
  for (int i = 0; i < looks; ++i) {
    store.add_health(kBig, look_at(50 * i));
    if (i % 50 == 49) {
      store.flush();
    }
  }
  store.flush();
}

/// What `act` makes a click wait, with what it sets off.
void measure(TestSession& t, const char* page, const char* what, const std::function<void()>& act,
             int ms = 1500) {
  QTest::qWait(200);
  Latency latency(&t.window(), std::chrono::milliseconds(2));
  QTest::qWait(50);
  QElapsedTimer clock;
  clock.start();
  act();
  const double call = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  QTest::qWait(ms);
  const std::vector<double> waits = latency.end();
  const bool late = latency.busy() > kMostMs;
  ++measured;
  too_long += late;
  std::printf("%-10s %-44s %7.1f ms at most, %7.1f ms of CPU (call %.1f ms)%s\n", page, what,
              quantile(waits, 1), latency.busy(), call, late ? "  TOO LONG" : "");
  std::fflush(stdout);
}

void train_page(TestSession& t) {
  RunPage* page = t.window().run_page();
  HealthView* numerics = page->health();
  measure(
      t, "Train", "open a run of 10,000 steps",
      [&] { t.session->open_run(QString::fromLatin1(kBig)); }, 15'000);
  std::printf("           %zu of its looks are shown\n", t.session->data().health.size());
  measure(t, "Train", "open Numerics", [&] { page->show_view(numerics); });
  measure(t, "Train", "Numerics, another measure",
          [&] { numerics->set_measure(HealthMeasure::sqnr); });
  measure(t, "Train", "Numerics, the worst first", [&] { numerics->set_worst_first(true); });
  measure(t, "Train", "Numerics, a filter", [&] { numerics->set_filter(QStringLiteral("to_7")); });
  numerics->set_filter(QString());
  measure(t, "Train", "Numerics, as a table", [&] { numerics->show_table(true); });
  numerics->show_table(false);
  std::int64_t step = 50 * 20'000;
  measure(t, "Train", "Numerics, twenty more looks of a live run", [&] {
    for (int i = 0; i < 20; ++i) {
      t.session->data().health.add(look_at(step += 50));
      page->on_labels();
      QTest::qWait(20);
    }
  });
  QElapsedTimer clock;
  double frame = 0;
  for (int i = 0; i < 30; ++i) {
    clock.start();
    numerics->map()->set_current(i * 20, i);
    numerics->map()->viewport()->repaint();
    frame = std::max(frame, static_cast<double>(clock.nsecsElapsed()) / 1e6);
  }
  std::printf("           heat map, a frame: %.1f ms at most\n", frame);
  measure(t, "Train", "a log of 5,000 lines", [&] {
    QVector<LogLine> lines;
    for (int i = 0; i < 5000; ++i) {
      lines.push_back(
          {LogLevel::info, Message::verbatim("step " + std::to_string(i) + ": a line of the log")});
    }
    page->log()->append(lines);
  });
  measure(t, "Train", "search of the log", [&] { page->log()->set_search(QStringLiteral("77")); });
}

void history_page(TestSession& t) {
  HistoryPage* page = t.window().history_page();
  measure(
      t, "History", "open", [&] { t.window().show_page(page); }, 3000);
  const auto select = [&](int rows) {
    QItemSelection selection;
    const QAbstractItemModel* model = page->table()->model();
    selection.select(model->index(0, 0), model->index(rows - 1, 0));
    page->table()->selectionModel()->select(
        selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  };
  measure(
      t, "History", "select a run", [&] { select(1); }, 3000);
  measure(
      t, "History", "compare eight", [&] { select(8); }, 3000);
  measure(
      t, "History", "select all", [&] { page->table()->selectAll(); }, 3000);
  measure(t, "History", "read the list again", [&] { t.session->runs().refresh(); });
  for (const auto view : {ComparePage::settings, ComparePage::samples, ComparePage::curves}) {
    measure(t, "History", "another view", [&] { page->compare()->show_view(view); });
  }
}

void data_page(TestSession& t, const QString& images) {
  DataPage* page = t.window().data_page();
  t.session->document().edit("data.resolution", 64);
  t.window().setup_page()->job()->set_paths(QStringLiteral("demo"), {images});
  QSignalSpy scanned(page, &DataPage::scanned);
  measure(
      t, "Data", "scan",
      [&] {
        t.window().show_page(page);
        scanned.wait(600'000);
      },
      3000);
  measure(t, "Data", "open", [&] {
    t.window().show_page(t.window().setup_page());
    t.window().show_page(page);
  });
  measure(t, "Data", "search", [&] { page->search()->setText(QStringLiteral("tone 1")); });
  measure(t, "Data", "search for few",
          [&] { page->search()->setText(QStringLiteral("tone 123")); });
  measure(t, "Data", "end of the search", [&] { page->search()->clear(); });
  measure(t, "Data", "typing in a caption", [&] {
    page->list()->setCurrentIndex(page->list()->model()->index(500, 0));
    QTest::keyClicks(page->editor()->text(), QStringLiteral("zorb"));
  });
  measure(
      t, "Data", "select all", [&] { page->list()->selectAll(); }, 3000);
  measure(
      t, "Data", "a tool's preview",
      [&] { page->editor()->word()->setText(QStringLiteral("zorb")); }, 3000);
  page->list()->clearSelection();
  for (const auto view :
       {DataPage::buckets, DataPage::folder_rules, DataPage::left_out, DataPage::images}) {
    measure(t, "Data", "another view", [&] { page->show_view(view); });
  }
}

/// A probe of as many layers as SDXL has, 400 samples, 200 runs that wait.
void fill_panels(TestSession& t) {
  ProbeReport report;
  report.steps = 4;
  for (int i = 0; i < kLayers; ++i) {
    report.modules.push_back({"denoiser.layer_" + std::to_string(i), 40.0 - i % 30, 31, 0.999,
                              0.001 * i, 0.002, StorageType::bf16});
  }
  t.window().setup_page()->probe()->show_report(report, Preset{});
  const QString image = make_test_image(t.folder.path(), 1);
  for (int i = 0; i < 400; ++i) {
    t.session->samples().add({50 * (i / 4), i % 4, "a prompt", to_path(image)});
  }
  for (int i = 0; i < 200; ++i) {
    t.window().queue()->add(t.window().setup_page()->job()->job());
  }
}

void every_view(TestSession& t) {
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    Page* page = t.window().pages()[i];
    const char* id = page_table()[i].id;
    measure(t, id, "open", [&] { t.window().show_page(page); });
    for (const Page::Look& look : page->looks()) {
      measure(t, id, qPrintable(look.id), [&] { look.show(); });
    }
  }
}

void every_dialog(TestSession& t) {
  MainWindow& window = t.window();
  const Theme* theme = &t.session->theme();
  const auto shown = [&](const char* name, const std::function<void()>& open) {
    measure(t, "Dialog", name, open);
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
      dialog->close();
    }
  };
  shown("guide", [&] { (new HelpDialog(HelpDialog::guide, theme, &window))->open(); });
  shown("catalogue", [&] { (new HelpDialog(HelpDialog::catalogue, theme, &window))->open(); });
  shown("shortcuts", [&] { (new ShortcutsDialog(&window, theme, &window))->open(); });
  shown("presets", [&] { window.files()->show_picker(); });
  shown("base models", [&] { window.setup_page()->job()->find_models(); });
  shown("base files", [&] { (new BaseFilesDialog(QString(), theme, &window))->open(); });
  shown("captions by a model", [&] {
    window.show_page(window.data_page());
    window.data_page()->open_tagger();
  });
  shown("a question about closing", [&] {
    WindowQuestions::with_dialogs().closing(&window, QStringLiteral("?"), true, [](Closing) {});
  });
}

int run(const QString& folder, int images, int looks, int runs) {
  QDir().mkpath(folder);
  QElapsedTimer timer;
  timer.start();
  const QString pictures = folder + QStringLiteral("/images");
  make_images(pictures, images);
  make_runs(folder, looks, runs);
  std::printf("%d images, %d runs, %d looks at %d layers; there after %.1f s\n", images, runs,
              looks, kLayers, static_cast<double>(timer.elapsed()) / 1000);
  TestSession t(FakeEngine{}, false);
  QFile::link(folder + QStringLiteral("/runs.db"), t.folder.filePath(QStringLiteral("runs.db")));
  t.show();
  measure(t, "Setup", "open", [&] { t.window().show_page(t.window().setup_page()); });
  measure(t, "Setup", "an edit", [&] { t.session->document().edit("adapter.rank", 24); });
  train_page(t);
  measure(t, "Samples", "open", [&] { t.window().show_page(t.window().sample_grid()); });
  history_page(t);
  data_page(t, pictures);
  measure(
      t, "Device", "open", [&] { t.window().show_page(t.window().device_page()); }, 3000);
  fill_panels(t);
  every_view(t);
  every_dialog(t);
  std::printf("%d of %d measured are above %.0f ms\n", too_long, measured, kMostMs);
  return too_long > 0 ? 1 : 0;
}

}  // namespace
}  // namespace mantissa::gui

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "pages_bench: expects a folder for images and runs\n");
    return 2;
  }
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication app(argc, argv);
  const auto number = [&](int at, int usual) { return argc > at ? std::atoi(argv[at]) : usual; };
  return mantissa::gui::run(QString::fromLocal8Bit(argv[1]), number(2, 100'000), number(3, 10'000),
                            number(4, 200));
}
