#include <QApplication>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMimeData>
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
#include "tests/gui/SetupTest.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

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
  QCOMPARE(report->item(found[0]->row(), 2)->text(), QStringLiteral("Unknown"));
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

}  // namespace mantissa::gui
