#include "tests/gui/SetupTest.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <climits>
#include <thread>

#include "engine/plan/draft_plan.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "gui/app/DropTarget.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/HistoryPage.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/PlanLine.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/ImportDialog.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetPicker.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SchemaText.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

QString sample(const char* name) {
  return QStringLiteral(MANTISSA_SOURCE_DIR "/tests/golden/import/") + QString::fromLatin1(name);
}

QPushButton* button(const QWidget* in, const QString& accessible_name_part) {
  QCoreApplication::processEvents();  // a new widget of a layout is shown by an event
  for (QPushButton* b : in->findChildren<QPushButton*>()) {
    if (b->isVisible() && b->accessibleName().contains(accessible_name_part)) {
      return b;
    }
  }
  return nullptr;
}

template <typename Dialog>
Dialog* open_dialog(QWidget& window) {
  for (Dialog* dialog : window.findChildren<Dialog*>()) {
    if (dialog->isVisible()) {
      return dialog;
    }
  }
  return nullptr;
}

/// Whether a label in it says this.
bool said_in(const QWidget* widget, const QString& text) {
  const QList<QLabel*> labels = widget->findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(),
                     [&](const QLabel* label) { return label->text().contains(text); });
}

/// The dialog of a file that another process reads first.
ImportDialog* import_dialog(QWidget& window) {
  return QTest::qWaitFor([&] { return open_dialog<ImportDialog>(window) != nullptr; }, 20000)
             ? open_dialog<ImportDialog>(window)
             : nullptr;
}

/// The studio with the real precision rules on a scripted planner of the memory.
struct Preflight {
  QTemporaryDir folder;
  std::unique_ptr<Session> session;

  /// Its own planner plans without a base model too.
  static PlanReport plan(JobSpec job) {
    job.base = "demo";
    return FakeEngine::plan(job);
  }
  explicit Preflight(Planner planner = plan) {
    SessionOptions options;
    options.runner = FakeEngine{};
    options.planner = std::move(planner);
    options.draft_planner = [quick = std::make_shared<DraftPlanner>()](const JobSpec& job) {
      return quick->plan(job);
    };
    options.settings_file = folder.filePath(QStringLiteral("s.ini"));
    session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
    session->window().show();
  }
  PrecisionPanel* panel() { return session->window().setup_page()->precision(); }
  PresetDocument& document() { return session->document(); }
};

}  // namespace

void SetupTest::text_is_edited_with_its_mistakes_told() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  page->show_view(SetupPage::text_view);
  PresetTextView* view = page->text();
  t.session->document().edit("adapter.rank", 12);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("\"rank\": 12")));
  view->editor()->setPlainText(
      QStringLiteral("{\n  \"mantissa_preset\": 1,\n  \"adapter\": {\n"
                     "    \"rnak\": 8\n  }\n}"));
  QVERIFY(QTest::qWaitFor([&] { return !view->problem().isEmpty(); }));
  QVERIFY(view->problem().contains(QStringLiteral("did you mean")));
  QCOMPARE(view->editor()->marked_line(), 4);
  view->apply();
  QCOMPARE(t.session->document().preset().adapter.rank, 12);
  view->editor()->setPlainText(
      QStringLiteral("{\"mantissa_preset\": 1, \"adapter\": {\"rank\": 8}}"));
  QVERIFY(QTest::qWaitFor([&] { return view->problem().isEmpty(); }));
  QCOMPARE(view->editor()->marked_line(), 0);
  view->apply();
  QCOMPARE(t.session->document().preset().adapter.rank, 8);
  QVERIFY(!view->is_edited());
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().adapter.rank, 12);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("\"rank\": 12")));
}

void SetupTest::text_follows_the_form() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  PresetTextView* view = page->text();
  t.session->document().edit("training.steps", 77);
  page->show_view(SetupPage::text_view);
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("77")));
  // What was typed and not applied is not lost to an edit elsewhere.
  view->editor()->setPlainText(QStringLiteral("{ half"));
  t.session->document().edit("training.steps", 78);
  QCOMPARE(view->editor()->toPlainText(), QStringLiteral("{ half"));
  view->revert();
  QVERIFY(view->editor()->toPlainText().contains(QStringLiteral("78")));
  page->focus_search();
  QCOMPARE(page->view(), SetupPage::form_view);
}

void SetupTest::single_values_are_taken_from_another_preset() {
  TestSession t{FakeEngine{}};
  t.show();
  PresetEntry entry;
  entry.id = "other";
  entry.preset.name = "Other";
  entry.preset.adapter.rank = 4;
  entry.preset.training.steps = 500;
  t.window().files()->set_library({entry});
  t.session->document().edit("name", "Mine");
  t.session->document().edit("adapter.rank", 32);
  t.session->document().edit("training.steps", 900);
  SetupPage* page = t.window().setup_page();
  page->show_view(SetupPage::diff_view);
  PresetDiff* diff = page->diff();
  QCOMPARE(diff->table()->rows(), 3);
  const int other = diff->choice()->findText(QStringLiteral("Other"));
  QVERIFY(other > 0);
  diff->choice()->setCurrentIndex(other);
  emit diff->choice()->activated(other);
  QCOMPARE(diff->table()->rows(), 3);
  button(diff, QStringLiteral("Rank"))->click();
  QCOMPARE(t.session->document().preset().adapter.rank, 4);
  QCOMPARE(t.session->document().preset().training.steps, std::int64_t{900});
  QCOMPARE(diff->table()->rows(), 2);
  t.session->document().undo_stack()->undo();
  QCOMPARE(t.session->document().preset().adapter.rank, 32);
  QCOMPARE(diff->table()->rows(), 3);
  button(diff, QStringLiteral("every value"))->click();
  QVERIFY(t.session->document().preset() == entry.preset);
  QCOMPARE(diff->table()->rows(), 0);
  diff->compare_with_file(sample("kohya_sdxl.toml"));
  QTRY_VERIFY_WITH_TIMEOUT(diff->table()->rows() > 10, 20000);
  diff->compare_with_file(QStringLiteral("/no/such/file.json"));
  QTRY_VERIFY_WITH_TIMEOUT(said_in(diff, QStringLiteral("/no/such/file.json")), 20000);
  QVERIFY(diff->table()->rows() > 10);
}

void SetupTest::imports_show_what_would_change() {
  TestSession t{FakeEngine{}};
  t.show();
  const Preset before = t.session->document().preset();
  t.window().files()->import_file(sample("kohya_sdxl.toml"));
  auto* dialog = import_dialog(t.window());
  QVERIFY(dialog != nullptr);
  QVERIFY(t.session->document().preset() == before);
  QVERIFY(dialog->changes()->rows() > 10);
  QTableWidget* report = dialog->report();
  QVERIFY(report->rowCount() > 40);
  const QList<QTableWidgetItem*> found =
      report->findItems(QStringLiteral("training.brand_new_option"), Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  QCOMPARE(report->item(found[0]->row(), 2)->text(), QStringLiteral("unknown"));
  dialog->findChild<QLineEdit*>()->setText(QStringLiteral("network_dim"));
  int shown = 0;
  for (int row = 0; row < report->rowCount(); ++row) {
    shown += !report->isRowHidden(row);
  }
  QCOMPARE(shown, 1);
  button(dialog, QStringLiteral("Close"))->click();
  QVERIFY(t.session->document().preset() == before);

  t.window().files()->import_file(sample("onetrainer.json"));
  dialog = import_dialog(t.window());
  QVERIFY(dialog != nullptr);
  button(dialog, QStringLiteral("Apply"))->click();
  QCOMPARE(t.session->document().preset().adapter.rank, 24);
  t.session->document().undo_stack()->undo();
  QVERIFY(t.session->document().preset() == before);
}

void SetupTest::refused_files_are_told() {
  TestSession t{FakeEngine{}};
  t.show();
  QFile file(t.folder.filePath(QStringLiteral("x.json")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"a\": 1}");
  file.close();
  const auto says = [&](const char* text) {
    return t.window().messages()->text().contains(QString::fromLatin1(text));
  };
  t.window().files()->import_file(file.fileName());
  QTRY_VERIFY_WITH_TIMEOUT(says("none of its keys is known"), 20000);
  QVERIFY(open_dialog<ImportDialog>(t.window()) == nullptr);
  t.window().files()->import_file(t.folder.filePath(QStringLiteral("missing.toml")));
  QTRY_VERIFY_WITH_TIMEOUT(says("missing.toml"), 20000);
}

void SetupTest::open_takes_what_import_takes() {
  TestSession t{FakeEngine{}};
  t.show();
  const QString own = t.folder.filePath(QStringLiteral("own.json"));
  t.session->document().edit("name", "Own");
  t.session->document().save_as(own);
  t.session->document().load(Preset{}, QString());
  const auto open = [&](const QString& file) {
    t.open_answer = file;
    t.window().files()->ask_open();
  };
  open(own);
  QTRY_COMPARE_WITH_TIMEOUT(t.session->document().file(), own, 20000);
  QCOMPARE(t.session->document().display_name(), QStringLiteral("Own"));
  open(sample("kohya_sdxl.toml"));
  QVERIFY(import_dialog(t.window()) != nullptr);
  QCOMPARE(t.session->document().file(), own);
}

/// A run continues, whatever becomes of the process that reads a file, and the window answers.
void SetupTest::a_reader_that_dies_ends_no_run() {
  TestSession t{endless_engine()};
  const QString self = QCoreApplication::applicationFilePath();
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(3));
  const Preset before = t.session->document().preset();
  const auto told = [&](const SettingsReader::Program& program) {
    SettingsReader reader(program);
    Message problem;
    bool answered = false;
    reader.read(sample("kohya_sdxl.toml"), &reader, [&](const SettingsFile& file) {
      answered = !file.result;
      problem = file.problem;
    });
    return QTest::qWaitFor([&] { return answered; }, 20000) && !reader.is_busy()
               ? to_qstring(problem.text())
               : QString();
  };
  const QString crashed = told({self, {QStringLiteral("--crash")}});
  QVERIFY2(crashed.contains(QStringLiteral("kohya_sdxl.toml")) &&
               crashed.contains(QStringLiteral("ended unexpectedly")),
           qPrintable(crashed));
  const QString hung = told({self, {QStringLiteral("--hang")}, 1000});
  QVERIFY2(hung.contains(QStringLiteral("within 1 s")), qPrintable(hung));
  const QString missing = told({QStringLiteral("/no/such/program"), {}});
  QVERIFY2(missing.contains(QStringLiteral("could not start")), qPrintable(missing));
  QVERIFY(t.engine().is_running());
  QVERIFY(t.session->document().preset() == before);
  // Whoever asked may be gone before the answer, and so may the reader.
  {
    SettingsReader reader;
    auto context = std::make_unique<QObject>();
    reader.read(sample("kohya_sdxl.toml"), context.get(),
                [](const SettingsFile&) { QFAIL("nobody asked"); });
    context.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!reader.is_busy(), 20000);
    reader.read(sample("kohya_sdxl.toml"), &reader, [](const SettingsFile&) {});
  }
}

/// Every way into the window uses the reader: one that crashes is told, whichever way it is.
void SetupTest::every_way_in_reads_in_another_process() {
  TestSession t{FakeEngine{}, false};
  t.reader = {QCoreApplication::applicationFilePath(), {QStringLiteral("--crash")}};
  t.start_again();
  t.show();
  const QString file = sample("kohya_sdxl.toml");
  t.open_answer = file;
  QApplication::clipboard()->setText(QStringLiteral("{\"mantissa_preset\": 1}"));
  PresetFiles* files = t.window().files();
  const std::pair<const char*, std::function<void()>> ways[] = {
      {"File, Import", [&] { files->ask_import(); }},
      {"File, Open", [&] { files->ask_open(); }},
      {"a double-click, or a command line", [&] { files->open_or_import(file); }},
      {"drag and drop", [&] { t.window().drops()->take({file}); }},
      {"Paste", [&] { files->paste(); }}};
  for (const auto& [name, go] : ways) {
    t.window().messages()->hide();
    go();
    QVERIFY2(
        QTest::qWaitFor(
            [&] {
              return t.window().messages()->isVisible() &&
                     t.window().messages()->text().contains(QStringLiteral("ended unexpectedly"));
            },
            20000),
        name);
    t.window().messages()->show_info(QStringLiteral("another"));
  }
  PresetDiff* diff = t.window().setup_page()->diff();
  diff->compare_with_file(file);
  QTRY_VERIFY_WITH_TIMEOUT(said_in(diff, QStringLiteral("ended unexpectedly")), 20000);
}

void SetupTest::drops_are_taken_for_what_they_are() {
  TestSession t{FakeEngine{}, false};
  t.show();
  QDir folder(t.folder.path());
  QVERIFY(folder.mkpath(QStringLiteral("images")) && folder.mkpath(QStringLiteral("model/unet")));
  QFile config(folder.filePath(QStringLiteral("model/unet/config.json")));
  QVERIFY(config.open(QIODevice::WriteOnly));
  config.close();
  t.window().drops()->take(
      {folder.filePath(QStringLiteral("images")), folder.filePath(QStringLiteral("model"))});
  const JobSpec job = t.window().setup_page()->job()->job();
  QCOMPARE(job.images.size(), std::size_t{1});
  QVERIFY(path_text(job.images[0]).endsWith(QStringLiteral("images")));
  QVERIFY(path_text(job.base).endsWith(QStringLiteral("model")));
  t.window().drops()->take({sample("kohya_ss.json")});
  QVERIFY(import_dialog(t.window()) != nullptr);
}

#ifdef Q_OS_WIN
constexpr const char* kMarkupName = "z & i.base.json";  // no name has < there
#else
constexpr const char* kMarkupName = "z & <i>.base.json";
#endif

void SetupTest::a_dropped_base_model_is_taken_in_any_form() {
  TestSession t{FakeEngine{}, false};
  t.show();
  const auto write = [&](const char* name, const QByteArray& text) {
    const QString path = QDir::toNativeSeparators(t.folder.filePath(QString::fromLatin1(name)));
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
  };
  const QString files[] = {
      write("quantised.gguf", "GGUF"),
      write(kMarkupName, R"({"mantissa_base": 1, "denoiser": "quantised.gguf"})"),
      write("whole.safetensors", QByteArray::fromHex("0200000000000000") + "{}")};
  JobPanel* job = t.window().setup_page()->job();
  for (const QString& file : files) {
    QVERIFY(!file.isEmpty());
    job->base()->set_path(QString());
    t.window().show_page(t.window().history_page());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    const QPoint middle = t.window().rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&t.window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&t.window(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(job->base()->path(), file, 20000);
    QVERIFY(t.window().setup_page()->isVisible());
    const QString said = t.window().messages()->text();
    QVERIFY2(said.contains(QFileInfo(file).fileName()), qPrintable(said));
    QCOMPARE(said.contains(QStringLiteral("carries no preset")),
             file.endsWith(QLatin1String(".safetensors")));
    QVERIFY(open_dialog<ImportDialog>(t.window()) == nullptr);
  }
}

void SetupTest::picker_groups_presets() {
  const std::vector<PresetEntry> entries =
      PresetLibrary(to_path(QStringLiteral(MANTISSA_SOURCE_DIR "/presets"))).list();
  TestSession t{FakeEngine{}};
  t.show();
  t.window().files()->set_library(entries);
  t.window().files()->show_picker();
  auto* picker = open_dialog<PresetPicker>(t.window());
  QVERIFY(picker != nullptr);
  QStringList heads;
  int choices = 0;
  for (int i = 0; i < picker->list()->count(); ++i) {
    const QListWidgetItem* item = picker->list()->item(i);
    if (item->flags() & Qt::ItemIsSelectable) {
      ++choices;
    } else {
      heads << item->text();
    }
  }
  QCOMPARE(choices, static_cast<int>(entries.size()));
  QVERIFY(heads.contains(QStringLiteral("By task")) && heads.contains(QStringLiteral("By memory")));
  QCOMPARE(QSet<QString>(heads.begin(), heads.end()).size(), heads.size());
  picker->findChild<QLineEdit*>()->setText(QStringLiteral("sdxl lora on 12"));
  QVERIFY(picker->list()->currentItem()->text().contains(QStringLiteral("12 GB")));
  button(picker, QStringLiteral("Use the selected"))->click();
  QCOMPARE(t.session->document().display_name(), QStringLiteral("SDXL LoRA on 12 GB"));
}

void SetupTest::recent_files_are_kept() {
  TestSession t{FakeEngine{}};
  t.show();
  const QString a = t.folder.filePath(QStringLiteral("a.json"));
  const QString b = t.folder.filePath(QStringLiteral("b.json"));
  t.session->document().save_as(a);
  t.session->document().save_as(b);
  QVERIFY(t.window().files()->open(a));
  QVERIFY(t.window().files()->open(b));
  QVERIFY(t.window().files()->open(a));
  QCOMPARE(t.session->settings().recent_files(), (QStringList{a, b}));
}

void SetupTest::plan_follows_every_edit() {
  Preflight p(FakeEngine::plan);
  p.document().edit("precision.compute", "bf16");
  p.document().edit("precision.weights.denoiser", "fp8_e4m3");
  const auto has = [&](const char* text) {
    return QTest::qWaitFor([&] {
      for (const QLabel* label : p.panel()->findChildren<QLabel*>()) {
        if (label->isVisible() && label->text().contains(QString::fromLatin1(text))) {
          return true;
        }
      }
      return false;
    });
  };
  QVERIFY(has("W fp8_e4m3"));
  QVERIFY2(has("Q2"), "the adjustment of an FP8 base");
  QVERIFY2(has("No base model given"), "the memory needs a base");
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(has("S4"));
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 2; }));
  p.document().undo_stack()->undo();
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 1; }));
  p.session->window().setup_page()->job()->use_demo();
  QVERIFY(has("Needs 9.8 GB of 12.0 GB"));
}

void SetupTest::plan_is_quick() {
  Preflight p;
  p.session->window().setup_page()->job()->use_demo();
  QTest::qWait(200);
  double longest = 0, total = 0;
  constexpr int kEdits = 40;
  QSignalSpy planned(&p.session->watcher(), &PlanWatcher::planned);
  for (int i = 0; i < kEdits; ++i) {
    const int before = static_cast<int>(planned.count());
    p.document().edit("precision.compute", i % 2 == 0 ? "bf16" : "fp16");
    QVERIFY(QTest::qWaitFor([&] { return planned.count() > before; }));
    longest = std::max(longest, p.session->watcher().last_latency());
    total += p.session->watcher().last_latency();
  }
  qInfo("from an edit to its findings: %.2f ms on average, %.2f ms at most", total / kEdits,
        longest);
}

void SetupTest::late_check_is_not_shown() {
  Preflight p([](const JobSpec& job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    PlanReport report = DraftPlanner().plan(job);
    report.peak_bytes = 1'000'000'000;
    report.free_bytes = 2'000'000'000;
    return report;
  });
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() > 0; }));
  QSignalSpy checked(&p.session->engine(), &EngineClient::checked);
  p.session->window().actions()->check->trigger();
  p.document().edit("precision.adapter", "fp32");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  // The check's result is for the adapter in FP16, which has changed since.
  QVERIFY(QTest::qWaitFor([&] { return checked.count() == 1; }));
  QCOMPARE(p.panel()->refused(), 0);
}

void SetupTest::errors_block_start() {
  Preflight p;
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("precision.adapter", "fp16");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() > 0; }));
  p.session->window().actions()->start->trigger();
  QVERIFY(!p.session->engine().is_running());
  QVERIFY(p.session->window().messages()->text().contains(QStringLiteral("S4")));
  p.document().edit("precision.adapter", "fp32");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  p.session->window().actions()->start->trigger();
  QVERIFY(p.session->engine().is_running());
  QVERIFY(QTest::qWaitFor([&] { return !p.session->engine().is_running(); }));
}

void SetupTest::fixes_are_shown_before_they_are_made() {
  Preflight p;
  p.document().edit("precision.adapter", "fp16");
  p.document().edit("precision.weights.denoiser", "fp8_e4m3");
  p.document().edit("precision.compute", "fp16");
  p.document().edit("precision.loss_scaling", "off");
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() > 0; }));
  const Preset before = p.document().preset();
  // A card shows old and new value.
  bool shown = false;
  for (const QLabel* label : p.panel()->findChildren<QLabel*>()) {
    shown = shown || label->text() == QStringLiteral("Adapter weight type: fp16 → fp32");
  }
  QVERIFY(shown);
  p.panel()->fix_all_button()->click();
  QDialog* dialog = p.session->window().findChild<QDialog*>();
  QVERIFY(dialog != nullptr && dialog->isVisible());
  QVERIFY(p.document().preset() == before);
  const auto* table = dialog->findChild<DiffTable*>();
  QVERIFY(table->rows() >= 2);
  // Its rows follow one another.
  QTest::qWait(30);
  QList<int> tops;
  for (const QLabel* label : table->findChildren<QLabel*>()) {
    tops << label->y();
  }
  std::sort(tops.begin(), tops.end());
  for (qsizetype i = 1; i < tops.size(); ++i) {
    QVERIFY2(tops[i] - tops[i - 1] < 60, qPrintable(QString::number(tops[i] - tops[i - 1])));
  }
  button(dialog, QStringLiteral("Apply all"))->click();
  QCOMPARE(p.document().preset().precision.adapter, MasterType::fp32);
  QVERIFY(QTest::qWaitFor([&] { return p.panel()->refused() == 0; }));
  p.document().undo_stack()->undo();
  QVERIFY(p.document().preset() == before);
}

void SetupTest::warnings_are_ignored_for_a_preset() {
  TestSession t{FakeEngine{}};  // its plan always warns of D8
  t.show();
  PrecisionPanel* panel = t.window().setup_page()->precision();
  t.session->document().edit("name", "first");
  QVERIFY(QTest::qWaitFor([&] { return panel->warnings() == 1; }));
  button(panel, QStringLiteral("Ignore the warning D8"))->click();
  QCOMPARE(panel->warnings(), 0);
  t.session->document().edit("adapter.rank", 3);
  QTest::qWait(50);
  QCOMPARE(panel->warnings(), 0);
  t.session->document().edit("name", "second");
  QCOMPARE(panel->warnings(), 1);
  t.session->document().undo_stack()->undo();
  QCOMPARE(panel->warnings(), 0);
}

void SetupTest::the_estimated_step_is_told() {
  Preflight p([](const JobSpec& job) {
    PlanReport report = FakeEngine::plan(job);
    report.step_seconds = job.preset.data.batch_size > 1 ? 1.26 : 0;
    return report;
  });
  DevicePage* devices = p.session->window().device_page();
  devices->set_source([] {
    DeviceReport report;
    report.devices.push_back({.id = "cpu", .name = "A processor", .usable = true});
    return report;
  });
  devices->refresh();
  QVERIFY(QTest::qWaitFor([&] { return devices->is_ready(); }));
  const auto tells = [](const QWidget* place) {
    const auto labels = place->findChildren<QLabel*>();
    return std::ranges::any_of(labels, [](const QLabel* label) {
      return !label->isHidden() && label->text().contains(QStringLiteral("About 1.3 s a step"));
    });
  };
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("data.batch_size", 4);
  QVERIFY(QTest::qWaitFor([&] { return tells(p.panel()) && tells(devices); }));
  p.document().edit("data.batch_size", 1);
  QVERIFY(QTest::qWaitFor([&] { return !tells(p.panel()) && !tells(devices); }));
}

void SetupTest::what_would_make_it_fit() {
  // 2 GB per batch item, half with checkpointing; 5 GB are free.
  Preflight p([](const JobSpec& job) {
    PlanReport report = FakeEngine::plan(job);
    const std::uint64_t image =
        job.preset.training.gradient_checkpointing ? 1'000'000'000 : 2'000'000'000;
    report.peak_bytes = image * static_cast<std::uint64_t>(job.preset.data.batch_size);
    report.free_bytes = 5'000'000'000;
    return report;
  });
  p.session->window().setup_page()->job()->use_demo();
  p.document().edit("data.batch_size", 4);
  QVERIFY(
      QTest::qWaitFor([&] { return button(p.panel(), QStringLiteral("Make it fit")) != nullptr; }));
  QPushButton* first = button(p.panel(), QStringLiteral("Make it fit"));
  QVERIFY(first->text().contains(QStringLiteral("Gradient checkpointing: off → on")));
  QVERIFY(first->text().contains(QStringLiteral("4.0 GB")));
  first->click();
  QVERIFY(p.document().preset().training.gradient_checkpointing);
  QVERIFY(
      QTest::qWaitFor([&] { return button(p.panel(), QStringLiteral("Make it fit")) == nullptr; }));
}

// Each button offers a different change; the same test for each of them.
void SetupTest::every_fit_button_makes_its_own_change() {
  const auto offers = [](QWidget* panel) {
    QCoreApplication::processEvents();
    QList<QPushButton*> found;
    for (QPushButton* b : panel->findChildren<QPushButton*>()) {
      if (b->isVisible() && b->accessibleName().contains(QStringLiteral("Make it fit"))) {
        found << b;
      }
    }
    return found;
  };
  qsizetype tried = 0, count = 1;
  for (; tried < count; ++tried) {
    // A batch of 4 in FP32 takes 8 GB, of which 5 are free; each single change halves it.
    Preflight p([](const JobSpec& job) {
      PlanReport report = FakeEngine::plan(job);
      report.peak_bytes = 2'000'000'000 * static_cast<std::uint64_t>(job.preset.data.batch_size);
      report.peak_bytes /= job.preset.training.gradient_checkpointing ? 2 : 1;
      report.free_bytes = 5'000'000'000;
      return report;
    });
    p.session->window().setup_page()->job()->use_demo();
    p.document().edit("data.batch_size", 4);
    QVERIFY(QTest::qWaitFor([&] { return offers(p.panel()).size() > 1; }));
    const QList<QPushButton*> buttons = offers(p.panel());
    count = buttons.size();
    const QString offer = buttons[tried]->text();
    const Preset before = p.document().preset();
    buttons[tried]->click();
    const auto changes = diff_presets(before, p.document().preset());
    QVERIFY2(!changes.empty(), qPrintable(offer));
    for (const PresetChange& change : changes) {
      const QString said = QStringLiteral("%1: %2 → %3")
                               .arg(setting_label(to_qstring(change.key)), value_text(change.a, 40),
                                    value_text(change.b, 40));
      QVERIFY2(offer.contains(said), qPrintable(offer + QStringLiteral(" | ") + said));
    }
  }
  QVERIFY(tried >= 2);
}

void SetupTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    const QString at =
        keep + (mode == ThemeMode::dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
    Preflight p([](const JobSpec& job) {
      PlanReport report = DraftPlanner().plan(job);
      const PlanReport fake = FakeEngine::plan(job);
      report.peak_bytes =
          job.preset.training.gradient_checkpointing ? 9'000'000'000 : 13'400'000'000;
      report.weight_bytes = fake.weight_bytes;
      report.arena_bytes = fake.arena_bytes;
      report.adapter_bytes = fake.adapter_bytes;
      report.free_bytes = fake.free_bytes;
      return report;
    });
    MainWindow& window = p.session->window();
    p.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    window.files()->set_library(
        PresetLibrary(to_path(QStringLiteral(MANTISSA_SOURCE_DIR "/presets"))).list());
    window.setup_page()->job()->use_demo();
    p.document().edit("name", "portrait-xl");
    p.document().edit("adapter.type", "dora");
    p.document().edit("precision.weights.denoiser", "fp8_e4m3");
    p.document().edit("precision.compute", "fp16");
    p.document().edit("precision.adapter", "fp16");
    QTest::qWait(600);
    const auto shoot = [&](QWidget* widget, const char* name) {
      QCoreApplication::processEvents();
      QVERIFY(widget->grab().save(at + QString::fromLatin1(name) + QStringLiteral(".png")));
    };
    shoot(&window, "preflight");
    shoot(p.panel(), "panel");
    window.setup_page()->show_view(SetupPage::text_view);
    window.setup_page()->text()->editor()->setPlainText(
        QStringLiteral("{\n  \"mantissa_preset\": 1,\n  \"adapter\": {\n    \"rnak\": 8\n  }\n}"));
    QTest::qWait(250);
    shoot(&window, "text");
    window.setup_page()->text()->revert();
    window.setup_page()->show_view(SetupPage::diff_view);
    shoot(&window, "compare");
    window.files()->show_picker();
    shoot(open_dialog<PresetPicker>(window), "picker");
    open_dialog<PresetPicker>(window)->close();
    window.files()->import_file(sample("kohya_sdxl.toml"));
    auto* dialog = import_dialog(window);
    shoot(dialog, "import");
    dialog->findChild<QTabWidget*>()->setCurrentIndex(1);
    shoot(dialog, "report");
    dialog->close();
  }
}

void SetupTest::a_search_lists_names_first() {
  TestSession t{FakeEngine{}};
  t.show();
  SetupPage* page = t.window().setup_page();
  page->focus_search();
  QTest::keyClicks(page->search(), QStringLiteral("learning"));
  QTest::qWait(50);
  int named = INT_MAX, mentioned = -1;
  for (FieldRow* row : page->form()->findChildren<FieldRow*>()) {
    if (!row->isVisible()) {
      continue;
    }
    const int y = row->mapTo(page->form()->widget(), QPoint()).y();
    if (row->is_named({QStringLiteral("learning")})) {
      named = std::min(named, y);
    } else if (row->setting().key == "adapter.alpha") {
      mentioned = y;
    }
  }
  QVERIFY(mentioned > named);
  page->search()->clear();
  QTest::qWait(50);
  // As before: the model's section is first again.
  QVERIFY(page->form()
              ->row(QStringLiteral("model.family"))
              ->mapTo(page->form()->widget(), QPoint())
              .y() < page->form()
                         ->row(QStringLiteral("adapter.rank"))
                         ->mapTo(page->form()->widget(), QPoint())
                         .y());
}

void SetupTest::runs_are_named_after_their_parts() {
  TestSession t{FakeEngine{}};
  t.show();
  JobPanel* job = t.window().setup_page()->job();
  job->set_paths(QStringLiteral("/models/sd xl.safetensors"), {QStringLiteral("/data/zorbs")});
  t.session->document().edit("adapter.type", "dora");
  const auto said = [&] {
    for (const ElideLabel* label : job->findChildren<ElideLabel*>()) {
      if (label->isVisible()) {
        return label->text();
      }
    }
    return QString();
  };
  QCOMPARE(said(), QStringLiteral("Name of the next run: sd_xl-dora16-zorbs"));
  job->base()->set_path(QStringLiteral("/models/z_image.base.json"));
  QCOMPARE(said(), QStringLiteral("Name of the next run: z_image-dora16-zorbs"));
  job->base()->set_path(QStringLiteral("/models/sd xl.safetensors"));
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.output.name, std::string("sd_xl-dora16-zorbs"));
  // A name of the user's own stays.
  t.session->document().edit("output.name", "mine");
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QCOMPARE(t.engine().job().preset.output.name, std::string("mine"));
}

}  // namespace mantissa::gui
