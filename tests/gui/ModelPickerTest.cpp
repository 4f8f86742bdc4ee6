#include "tests/gui/ModelPickerTest.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/models/ModelPicker.h"
#include "gui/models/ModelTable.h"
#include "gui/programs/ExtraModelPaths.h"
#include "gui/programs/ModelScan.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

namespace fs = std::filesystem;

/// Programs with the tiny models of the tests.
struct Shelf {
  QTemporaryDir folder;

  QString at(const char* path) const { return folder.filePath(QString::fromLatin1(path)); }
  void put(const char* from, const char* to) const {
    const fs::path source = fs::path(MANTISSA_TEST_DATA "/golden") / from;
    const fs::path target = to_path(at(to));
    fs::create_directories(target.parent_path());
    fs::copy(source, target, fs::copy_options::recursive);
  }
  void write(const char* path, const QByteArray& text) const {
    QDir().mkpath(QFileInfo(at(path)).path());
    QFile file(at(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
  ProgramRoots roots() const {
    ProgramRoots roots;
    roots.parents << at("home");
    roots.hubs << at("hub");
    return roots;
  }
  void fill() const {
    put("models/z_image_base.safetensors", "home/ComfyUI/models/checkpoints/z/whole.safetensors");
    put("models/z_image_bare.safetensors", "home/ComfyUI/models/diffusion_models/bare.safetensors");
    put("adapters/locon.safetensors", "home/ComfyUI/models/checkpoints/lora.safetensors");
    put("models/sd15.safetensors", "home/webui/models/Stable-diffusion/sd15.safetensors");
    put("models/z_image", "hub/models--owner--Z-Tiny/snapshots/0123");
    write("home/ComfyUI/models/checkpoints/broken.safetensors", "not a model");
    QDir().mkpath(at("home/ComfyUI/models/loras"));
    QDir().mkpath(at("home/webui/models/Lora"));
    write("home/invokeai/invokeai.yaml", "schema_version: 4\n");
    QDir().mkpath(at("home/invokeai/models"));
  }
};

QStringList paths_of(const std::vector<ProgramFolder>& folders, const QString& below) {
  QStringList list;
  for (const ProgramFolder& folder : folders) {
    list << program_title(folder.program) + QLatin1Char(' ') +
                QDir(below).relativeFilePath(folder.path);
  }
  return list;
}

QString tip_of(const ModelPicker& picker, int row) {
  return picker.table()->model()->index(row, ModelTable::family).data(Qt::ToolTipRole).toString();
}

QStringList names(const ModelPicker& picker, int column = ModelTable::name) {
  QStringList list;
  const QAbstractItemModel* model = picker.table()->model();
  for (int row = 0; row < model->rowCount(); ++row) {
    list << model->index(row, column).data().toString();
  }
  return list;
}

/// A list on its own.
struct Open {
  AppSettings settings;
  Theme theme;
  ModelScan scan;
  ModelPicker picker;

  Open(const Shelf& shelf, FindRoots roots)
      : settings(shelf.at("studio.ini")),
        picker(&scan, std::move(roots), &settings, &theme, nullptr) {
    picker.setAttribute(Qt::WA_DeleteOnClose, false);
    picker.show();
  }
  bool is_done() {
    return QTest::qWaitFor([this] { return !scan.is_busy(); }, 20000);
  }
};

}  // namespace

void ModelPickerTest::programs_folders_are_found() {
  Shelf shelf;
  shelf.fill();
  shelf.put("models/sd15.safetensors",
            "home/ComfyUI_windows_portable/ComfyUI/models/checkpoints/x.safetensors");
  shelf.write("home/ComfyUI/extra_model_paths.yaml",
              "a111:\n    base_path: ../webui/\n    checkpoints: models/Stable-diffusion\n"
              "    loras: |\n        models/Lora\n        more/loras\n");
  QDir().mkpath(shelf.at("home/webui/more/loras"));
  const ProgramFolders found = find_program_folders(shelf.roots());
  QCOMPARE(paths_of(found.bases, shelf.folder.path()),
           (QStringList{QStringLiteral("ComfyUI home/ComfyUI/models/checkpoints"),
                        QStringLiteral("ComfyUI home/ComfyUI/models/diffusion_models"),
                        QStringLiteral("ComfyUI home/webui/models/Stable-diffusion"),
                        QStringLiteral("ComfyUI home/ComfyUI_windows_portable/ComfyUI/models/"
                                       "checkpoints"),
                        QStringLiteral("InvokeAI home/invokeai/models"),
                        QStringLiteral("Hugging Face hub")}));
  QCOMPARE(found.adapters_of(Program::webui), QStringList{shelf.at("home/webui/models/Lora")});
  QCOMPARE(found.adapters_of(Program::comfyui),
           (QStringList{shelf.at("home/ComfyUI/models/loras"), shelf.at("home/webui/models/Lora"),
                        shelf.at("home/webui/more/loras")}));
  QVERIFY(find_program_folders({}).bases.empty());
}

void ModelPickerTest::extra_paths_are_read_as_comfyui_does() {
  Shelf shelf;
  qputenv("MANTISSA_TEST_MODELS", shelf.at("vars").toUtf8());
  shelf.write("paths.yaml",
              "comfyui:\n"
              "    base_path: ${MANTISSA_TEST_MODELS}/x\n"
              "    is_default: true\n"
              "    checkpoints: models/checkpoints/\n"
              "    unet: |\n"
              "        models/unet\n"
              "        /abs/unet\n"
              "    loras: models/loras\n"
              "other:\n"
              "    checkpoints: beside\n");
  const ExtraModelPaths paths = read_extra_model_paths(shelf.at("paths.yaml"));
  QCOMPARE(paths.bases,
           (QStringList{shelf.at("vars/x/models/checkpoints"), shelf.at("vars/x/models/unet"),
                        QStringLiteral("/abs/unet"), shelf.at("beside")}));
  QCOMPARE(paths.adapters, QStringList{shelf.at("vars/x/models/loras")});
  qunsetenv("MANTISSA_TEST_MODELS");
  for (const char* text : {"", ": :", "- 1\n- 2\n", "a: [", "a: 3\nb:\n  checkpoints: [x]\n"}) {
    shelf.write("paths.yaml", text);
    QVERIFY2(read_extra_model_paths(shelf.at("paths.yaml")).bases.isEmpty(), text);
  }
  QVERIFY(read_extra_model_paths(shelf.at("none.yaml")).bases.isEmpty());
}

void ModelPickerTest::hubs_are_those_of_the_environment() {
  const QByteArray home = qgetenv("HF_HOME"), hub = qgetenv("HF_HUB_CACHE");
  const auto back = qScopeGuard([&] {
    home.isNull() ? qunsetenv("HF_HOME") : static_cast<bool>(qputenv("HF_HOME", home));
    hub.isNull() ? qunsetenv("HF_HUB_CACHE") : static_cast<bool>(qputenv("HF_HUB_CACHE", hub));
  });
  qunsetenv("HF_HUB_CACHE");
  qputenv("HF_HOME", "/data/hf");
  QVERIFY(ProgramRoots::of_this_machine().hubs.contains(QStringLiteral("/data/hf/hub")));
  qputenv("HF_HUB_CACHE", "/data/cache");
  QVERIFY(ProgramRoots::of_this_machine().hubs.contains(QStringLiteral("/data/cache")));
  QVERIFY(!ProgramRoots::of_this_machine().hubs.contains(QStringLiteral("/data/hf/hub")));
}

void ModelPickerTest::models_are_recognised_by_their_headers() {
  Shelf shelf;
  shelf.fill();
  shelf.write("hub/models--owner--Z-Tiny/snapshots/0123/README.md",
              "---\nlicense: apache-2.0\n---\n");
  Open t(shelf, [&shelf] { return shelf.roots(); });
  QVERIFY(t.is_done());
  QCOMPARE(tip_of(t.picker, 3).section(QStringLiteral("<br>"), -1),
           QStringLiteral("Licence of the weights: apache-2.0 (README.md)"));
  QCOMPARE(tip_of(t.picker, 2).section(QStringLiteral("<br>"), -1),
           QStringLiteral("Its files state no licence of the weights."));
  QCOMPARE(names(t.picker),
           (QStringList{QStringLiteral("z/whole.safetensors"), QStringLiteral("bare.safetensors"),
                        QStringLiteral("sd15.safetensors"), QStringLiteral("owner/Z-Tiny")}));
  const QStringList families = names(t.picker, ModelTable::family);
  QVERIFY2(families[0].startsWith(QStringLiteral("Z-Image")), qPrintable(families[0]));
  QVERIFY2(families[1].contains(QStringLiteral("denoiser only")), qPrintable(families[1]));
  QVERIFY2(families[2].startsWith(QStringLiteral("SD 1.5")), qPrintable(families[2]));
  QCOMPARE(names(t.picker, ModelTable::place),
           (QStringList{QStringLiteral("ComfyUI"), QStringLiteral("ComfyUI"),
                        QStringLiteral("A1111/Forge"), QStringLiteral("Hugging Face")}));
  // The adapter and the damaged file.
  QVERIFY2(t.picker.status().startsWith(QStringLiteral("4 model(s) · 2 other file(s)")),
           qPrintable(t.picker.status()));
  t.picker.search()->setText(QStringLiteral("z-image comfy"));
  QCOMPARE(names(t.picker).size(), 2);
  QVERIFY2(t.picker.status().startsWith(QStringLiteral("2 of 4")), qPrintable(t.picker.status()));
}

void ModelPickerTest::a_model_of_the_list_becomes_the_base() {
  Shelf shelf;
  shelf.fill();
  TestSession t{FakeEngine{}};
  t.roots = shelf.roots();
  t.show();
  JobPanel* job = t.window().setup_page()->job();
  QTest::mouseClick(job->models_button(), Qt::LeftButton);
  auto* picker = t.window().findChild<ModelPicker*>();
  QVERIFY(picker != nullptr);
  QVERIFY(QTest::qWaitFor([&] { return picker->table()->model()->rowCount() == 4; }, 20000));
  picker->search()->setText(QStringLiteral("sd15"));
  QVERIFY(picker->use_button()->isEnabled());  // the only one left is chosen
  QTableView* table = picker->table();
  const QPoint row = table->visualRect(table->model()->index(0, 0)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, row);  // as a hand does
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, row);
  QCOMPARE(
      job->base()->path(),
      QDir::toNativeSeparators(shelf.at("home/webui/models/Stable-diffusion/sd15.safetensors")));
}

void ModelPickerTest::own_folders_are_remembered() {
  Shelf shelf;
  shelf.put("models/sd15.safetensors", "mine/deep/down/sd15.safetensors");
  {
    Open t(shelf, [] { return ProgramRoots{}; });
    QVERIFY(t.is_done());
    QCOMPARE(names(t.picker).size(), 0);
    t.picker.add_folder(shelf.at("mine"));
    QVERIFY(t.is_done());
    QCOMPARE(names(t.picker), QStringList{QStringLiteral("deep/down/sd15.safetensors")});
    QVERIFY(t.settings.flush());
  }
  Open again(shelf, [] { return ProgramRoots{}; });
  QVERIFY(again.is_done());
  QCOMPARE(names(again.picker).size(), 1);
  again.picker.folders()->setCurrentRow(0);
  for (QPushButton* button : again.picker.findChildren<QPushButton*>()) {
    if (button->accessibleName() == QLatin1String("Remove the selected folder")) {
      button->click();
    }
  }
  QVERIFY(again.is_done());
  QCOMPARE(names(again.picker).size(), 0);
  QCOMPARE(again.settings.model_folders(), QStringList());
}

void ModelPickerTest::nothing_blocks_the_window() {
  Shelf shelf;
  shelf.fill();
  const Qt::HANDLE here = QThread::currentThreadId();
  std::atomic<bool> elsewhere{false};
  QElapsedTimer clock;
  clock.start();
  Open t(shelf, [&] {
    elsewhere = QThread::currentThreadId() != here;
    QThread::msleep(1500);  // a disk that wakes up
    return shelf.roots();
  });
  QVERIFY2(clock.elapsed() < 1200, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(t.is_done());
  QVERIFY(elsewhere);
  QCOMPARE(names(t.picker).size(), 4);
}

void ModelPickerTest::an_empty_list_says_what_to_do() {
  Shelf shelf;
  Open t(shelf, [] { return ProgramRoots{}; });
  QVERIFY(t.is_done());
  QVERIFY2(t.picker.status().contains(QStringLiteral("Add the folder")),
           qPrintable(t.picker.status()));
  QVERIFY(!t.picker.use_button()->isEnabled());
}

void ModelPickerTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS is not set");
  }
  Shelf shelf;
  shelf.fill();
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    Theme theme;
    theme.apply(*qobject_cast<QApplication*>(qApp), mode);
    Open t(shelf, [&shelf] { return shelf.roots(); });
    QVERIFY(t.is_done());
    QTest::qWait(50);
    QVERIFY(t.picker.grab().save(
        QStringLiteral("%1/models-%2.png").arg(keep, mode == ThemeMode::dark ? "dark" : "light")));
  }
}

}  // namespace mantissa::gui
