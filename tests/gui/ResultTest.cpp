#include "tests/gui/ResultTest.h"

#include <QAction>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QtTest>
#include <algorithm>

#include "gui/app/RunResults.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/engine/AppSettings.h"
#include "gui/preset/PresetDocument.h"
#include "gui/programs/AdapterCopier.h"
#include "gui/result/ReaderList.h"
#include "gui/result/ResultView.h"
#include "gui/result/SamplePairView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/samples/ImagePane.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/HistoryStudio.h"

namespace mantissa::gui {
namespace {

void put(const QString& path, const QByteArray& bytes) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray bytes_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// As the engine records them.
const char* const kStamp = R"({"mantissa_result": 1, "file": "zorb.safetensors", "step": 12,
  "readers": [
    {"reader": "comfyui", "title": "ComfyUI", "outcome": "as_meant", "tensors": 24,
     "rules": [{"file": "comfy/lora.py", "version": "1a2b3c"}]},
    {"reader": "forge", "title": "Forge", "outcome": "partly", "tensors": 24, "left_out_count": 6},
    {"reader": "diffusers", "title": "diffusers", "outcome": "differs", "tensors": 24,
     "layers": [{"path": "a", "error": 0.01}, {"path": "b", "error": 0.25}]},
    {"reader": "sdcpp", "title": "stable-diffusion.cpp", "outcome": "refused"},
    {"reader": "invokeai", "title": "InvokeAI", "outcome": "unsupported"}]})";

/// A run's folder with its result and a checkpoint's adapter.
void fill_run(const QString& folder, const QString& name) {
  put(folder + QStringLiteral("/%1.safetensors").arg(name), QByteArray(2000, 'a'));
  put(folder + QStringLiteral("/checkpoints/step-000008/%1.safetensors").arg(name),
      QByteArray(1000, 'b'));
  put(folder + QStringLiteral("/result.json"), kStamp);
}

SampleRecord sample(std::int64_t step, int prompt, const QString& file) {
  return {step, prompt, prompt == 0 ? "a red disc" : "a zorb", to_path(file)};
}

bool settled(const ResultView* view) {
  return QTest::qWaitFor([&] { return !view->is_loading(); }, 10000);
}

/// A copier with a program's folders and answers.
struct Copying {
  QTemporaryDir folder;
  AppSettings settings{folder.filePath(QStringLiteral("studio.ini"))};
  AdapterCopier copier{&settings};
  QString folder_answer, asked;
  std::optional<AdapterCopier::Taken> taken;
  int folders_asked = 0;
  QSignalSpy copied{&copier, &AdapterCopier::copied}, failed{&copier, &AdapterCopier::failed};

  Copying() {
    copier.set_roots([this] {
      ProgramRoots roots;
      roots.parents << folder.filePath(QStringLiteral("programs"));
      return roots;
    });
    copier.set_questions(
        [this](QWidget*, Program, const QString&, auto chosen) {
          ++folders_asked;
          if (!folder_answer.isEmpty()) {
            chosen(folder_answer);
          }
        },
        [this](QWidget*, const QString& text, const QString& name, auto answered) {
          asked = text + QLatin1Char('|') + name;
          if (taken) {
            answered(*taken);
          }
        });
    put(adapter(), "adapter of the run");
  }
  QString adapter() const { return folder.filePath(QStringLiteral("runs/zorb.safetensors")); }
  QString at(const char* path) const { return folder.filePath(QString::fromLatin1(path)); }
  void make_comfyui(const char* name) const {
    QDir().mkpath(at("programs/") + QLatin1String(name) + QLatin1String("/models/checkpoints"));
    QDir().mkpath(at("programs/") + QLatin1String(name) + QLatin1String("/models/loras"));
  }
  bool copy(Program program = Program::comfyui) {
    copier.copy({adapter(), QFileInfo(adapter()).fileName(), program}, nullptr);
    return QTest::qWaitFor([&] { return !copier.is_busy(); }, 10000);
  }
};

}  // namespace

void ResultTest::verdicts_are_sentences() {
  QTemporaryDir folder;
  fill_run(folder.path(), QStringLiteral("zorb"));
  const RunFiles found = read_run_files(folder.path(), recipe("zorb", 8));
  QCOMPARE(found.problem, QString());
  QCOMPARE(found.proven, QStringLiteral("zorb.safetensors"));
  QStringList lines;
  int work = 0;
  for (const ReaderLine& line : found.readers) {
    lines << QStringLiteral("%1: %2").arg(line.program, line.verdict);
    work += line.works ? 1 : 0;
  }
  QCOMPARE(lines,
           (QStringList{QStringLiteral("ComfyUI: Loads it as it was trained."),
                        QStringLiteral("Forge: Ignores 6 of its 24 tensors."),
                        QStringLiteral("diffusers: Loads it, but a layer's change is off by 25%."),
                        QStringLiteral("stable-diffusion.cpp: Refuses it."),
                        QStringLiteral("InvokeAI: No verdict: how it names adapters of this base "
                                       "model isn't known.")}));
  QCOMPARE(work, 1);
  QCOMPARE(found.readers[0].rules, QStringLiteral("comfy/lora.py 1a2b3c"));
  QVERIFY(!found.readers[4].known);
  // The result first, then the checkpoints.
  QCOMPARE(found.files.size(), std::size_t{2});
  QVERIFY(!found.files[0].step.has_value());
  QCOMPARE(found.files[0].bytes, quint64{2000});
  QCOMPARE(found.files[1].step, std::optional<std::int64_t>(8));
}

void ResultTest::a_damaged_record_is_told() {
  QTemporaryDir folder;
  fill_run(folder.path(), QStringLiteral("zorb"));
  for (const char* text : {"{", "[]", "{\"readers\": 3}", "nonsense"}) {
    put(folder.filePath(QStringLiteral("result.json")), text);
    const RunFiles found = read_run_files(folder.path(), recipe("zorb", 8));
    QVERIFY2(found.problem.contains(QStringLiteral("result.json")), text);
    QVERIFY(found.readers.empty());
    QCOMPARE(found.files.size(), std::size_t{2});
  }
  put(folder.filePath(QStringLiteral("result.json")),
      R"({"readers": [7, {"title": "X", "outcome": "newer", "layers": 3, "rules": [1]}]})");
  const RunFiles odd = read_run_files(folder.path(), recipe("zorb", 8));
  QCOMPARE(odd.readers.size(), std::size_t{1});
  QVERIFY(odd.readers[0].verdict.contains(QStringLiteral("newer")));
  QVERIFY(read_run_files(folder.filePath(QStringLiteral("none")), {}).files.empty());
}

void ResultTest::a_suggested_checkpoint_is_told() {
  QTemporaryDir folder;
  fill_run(folder.path(), QStringLiteral("zorb"));
  QByteArray stamp(kStamp);
  stamp.replace("\"step\": 12,", R"("step": 12, "suggested_checkpoint": {"step": 8,
    "lowest_step": 12, "loss": 0.25, "above_lowest": {"mean": 0.001, "error": 0.002, "images": 4},
    "above_untrained": {"mean": -0.5, "error": 0.1, "images": 4}},)");
  put(folder.filePath(QStringLiteral("result.json")), stamp);
  Theme theme;
  ResultView view(&theme);
  view.show();
  EndedRun run;
  run.folder = folder.path();
  run.preset = recipe("zorb", 8);
  view.show_run(run);
  QVERIFY(settled(&view));
  QCOMPARE(view.suggestion(),
           QStringLiteral("Step 8 is suggested: the validation loss of step 12 is lower by only "
                          "0.001 ± 0.002, and fewer steps memorise less"));
  QCOMPARE(view.files()->item(0, 1)->text(), QStringLiteral("The result"));
  QCOMPARE(view.files()->item(1, 1)->text(), QStringLiteral("Step 8, suggested"));
  QCOMPARE(view.files()->currentRow(), 0);  // nothing is chosen for the user
  // None is better than the untrained model.
  stamp.replace("\"mean\": -0.5", "\"mean\": -0.1");
  put(folder.filePath(QStringLiteral("result.json")), stamp);
  view.show_run(run);
  QVERIFY(settled(&view));
  QVERIFY2(view.suggestion().startsWith(QStringLiteral("No checkpoint is better")),
           qPrintable(view.suggestion()));
  QCOMPARE(view.files()->item(1, 1)->text(), QStringLiteral("Step 8"));
  // A run without validation images.
  put(folder.filePath(QStringLiteral("result.json")), kStamp);
  view.show_run(run);
  QVERIFY(settled(&view));
  QCOMPARE(view.suggestion(), QString());
}

void ResultTest::a_sign_of_memorising_is_told() {
  QTemporaryDir folder;
  fill_run(folder.path(), QStringLiteral("zorb"));
  QByteArray stamp(kStamp);
  stamp.replace("\"step\": 12,", R"("step": 12, "memorising": {"step": 12, "samples": 4,
    "ratio": 0.25, "mean": 0.4, "nearest": "photo.png"},)");
  put(folder.filePath(QStringLiteral("result.json")), stamp);
  Theme theme;
  ResultView view(&theme);
  view.show();
  EndedRun run;
  run.folder = folder.path();
  run.preset = recipe("zorb", 8);
  view.show_run(run);
  QVERIFY(settled(&view));
  QVERIFY2(view.memorising().startsWith(QStringLiteral("A sign of memorising at step 12: ")) &&
               view.memorising().contains(QStringLiteral("photo.png")),
           qPrintable(view.memorising()));
  stamp.replace("0.25, \"mean\"", "0.95, \"mean\"");
  put(folder.filePath(QStringLiteral("result.json")), stamp);
  view.show_run(run);
  QVERIFY(settled(&view));
  QVERIFY(view.memorising().startsWith(QStringLiteral("No sign of memorising at step 12: ")));
  put(folder.filePath(QStringLiteral("result.json")), kStamp);
  view.show_run(run);
  QVERIFY(settled(&view));
  QCOMPARE(view.memorising(), QString());
}

void ResultTest::the_first_and_last_sample_of_a_prompt() {
  const auto pairs = sample_pairs({sample(20, 1, "d"), sample(0, 0, "a"), sample(20, 0, "c"),
                                   sample(10, 0, "b"), sample(10, 1, "e")});
  QCOMPARE(pairs.size(), std::size_t{2});
  QCOMPARE(pairs[0].prompt, QStringLiteral("a red disc"));
  QCOMPARE(pairs[0].first.step, 0);
  QCOMPARE(pairs[0].last.step, 20);
  QCOMPARE(pairs[1].first.step, 10);
  QCOMPARE(path_text(pairs[1].last.path), QStringLiteral("d"));
}

void ResultTest::a_finished_run_shows_its_result() {
  FakeEngine fake;
  fake.steps = 40;
  fake.sample_every = 20;
  QTemporaryDir folder;
  fake.folder = to_path(folder.path());
  fake.sample_file = make_test_image(folder.path(), 3);
  fill_run(folder.path(), QStringLiteral("zorb"));
  TestSession t(fake);
  t.session->document().edit("output.name", "zorb");
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for(RunState::finished));
  QVERIFY(t.wait_for_end());
  ResultView* view = t.window().results()->view();
  QVERIFY(!view->isVisible());  // the curves that are looked at stay
  QCOMPARE(t.window().messages()->offers().size(), std::size_t{1});
  t.window().messages()->offers().front()->click();
  QVERIFY(view->isVisible());
  QVERIFY(settled(view));
  QVERIFY2(view->figures().contains(QStringLiteral("40 step(s)")), qPrintable(view->figures()));
  QVERIFY2(view->figures().contains(QStringLiteral("last tenth")), qPrintable(view->figures()));
  QCOMPARE(view->files()->rowCount(), 2);
  QVERIFY(view->file().endsWith(QStringLiteral("zorb.safetensors")));
  QCOMPARE(view->readers()->texts().size(), 5);
  QCOMPARE(view->samples()->prompts()->count(), 2);
  QCOMPARE(view->samples()->heading(false), QStringLiteral("Before training"));
  QCOMPARE(view->samples()->heading(true), QStringLiteral("Last sample · step 40"));
  QVERIFY(view->samples()->pane(false)->has_image());
  QVERIFY(view->samples()->pane(true)->has_image());
  QVERIFY(view->copy_button(Program::comfyui)->isEnabled());
  QCOMPARE(view->copy_name(), QStringLiteral("zorb.safetensors"));
  view->files()->selectRow(1);
  QCOMPARE(view->copy_name(), QStringLiteral("zorb-step-8.safetensors"));
  // The next run begins with its curves.
  t.window().actions()->start->trigger();
  QTRY_VERIFY(!view->isVisible());  // the run may be over before its state is asked for
  // Who comes back to the page later finds the result.
  t.window().show_page(t.window().setup_page());
  QVERIFY(t.wait_for_end());
  t.window().show_page(t.window().run_page());
  QVERIFY(view->isVisible());
}

void ResultTest::a_stopped_run_leaves_the_curves() {
  TestSession t(endless_engine());
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_step(5));
  t.window().actions()->stop->trigger();
  QVERIFY(t.wait_for_end());
  QVERIFY(!t.window().results()->view()->isVisible());
}

void ResultTest::history_shows_the_result_of_a_run() {
  HistoryStudio t;
  RunStore store(t.database);
  const QString image = make_test_image(t.folder.path(), 1);
  for (const char* id : {"r1", "r2"}) {
    store.create_run(t.row(QString::fromLatin1(id), QStringLiteral("finished"), recipe("zorb", 8)));
    HistoryStudio::add_steps(store, id, 1, 30, 0.1);
    store.add_sample(id, {0, 0, "a red disc", image.toStdString()});
    store.add_sample(id, {30, 0, "a red disc", image.toStdString()});
  }
  store.flush();
  fill_run(t.run_folder(QStringLiteral("r1")), QStringLiteral("zorb"));
  t.show_history(2);
  ComparePage* compare = t.page()->compare();
  ResultView* view = compare->result_view();
  t.choose({QStringLiteral("r1")});
  compare->show_view(ComparePage::result);
  QVERIFY(settled(view));
  QVERIFY(view->isVisible());
  QCOMPARE(view->files()->rowCount(), 2);
  QVERIFY2(view->figures().startsWith(QStringLiteral("30 step(s) · training steps took 0:0")),
           qPrintable(view->figures()));
  QCOMPARE(view->samples()->heading(true), QStringLiteral("Last sample · step 30"));
  // One whose folder is gone still has its figures.
  t.choose({QStringLiteral("r2")});
  QVERIFY(settled(view));
  QCOMPARE(view->files()->rowCount(), 0);
  QVERIFY(!view->copy_button(Program::comfyui)->isEnabled());
  QVERIFY(view->figures().startsWith(QStringLiteral("30 step(s)")));
  // Several runs have no result in common.
  t.choose({QStringLiteral("r1"), QStringLiteral("r2")});
  QVERIFY(!view->isVisible());
}

void ResultTest::adapters_are_copied_to_a_found_folder() {
  Copying t;
  t.make_comfyui("ComfyUI");
  QDir().mkpath(t.at("programs/webui/models/Stable-diffusion"));
  QDir().mkpath(t.at("programs/webui/models/Lora"));
  QVERIFY(t.copy());
  QCOMPARE(t.failed.size(), 0);
  QCOMPARE(t.copied.size(), 1);
  const QString there = t.at("programs/ComfyUI/models/loras/zorb.safetensors");
  QCOMPARE(t.copied[0][1].toString(), there);
  QCOMPARE(bytes_of(there), QByteArray("adapter of the run"));
  QCOMPARE(t.folders_asked, 0);
  QVERIFY(t.copy(Program::webui));
  QCOMPARE(bytes_of(t.at("programs/webui/models/Lora/zorb.safetensors")),
           QByteArray("adapter of the run"));
  // The same once more copies nothing.
  QVERIFY(t.copy());
  QCOMPARE(t.copied.size(), 3);
  QVERIFY(t.copied[2][2].toBool());
  QCOMPARE(t.asked, QString());
  QCOMPARE(QDir(t.at("programs/ComfyUI/models/loras")).entryList(QDir::Files | QDir::Hidden),
           QStringList{QStringLiteral("zorb.safetensors")});
}

void ResultTest::a_folder_is_asked_for_once() {
  Copying t;
  t.make_comfyui("one");
  t.make_comfyui("two");  // which of them isn't known
  QVERIFY(t.copy());
  QCOMPARE(t.folders_asked, 1);
  QCOMPARE(t.copied.size(), 0);
  t.folder_answer = t.at("programs/two");  // the program's own folder will do
  QVERIFY(t.copy());
  QTRY_COMPARE(t.copied.size(), 1);
  QCOMPARE(t.copied[0][1].toString(), t.at("programs/two/models/loras/zorb.safetensors"));
  put(t.adapter(), "another one");
  t.taken = AdapterCopier::Taken::replace;
  QVERIFY(t.copy());
  QTRY_COMPARE(t.copied.size(), 2);
  QCOMPARE(t.folders_asked, 2);
  // Remembered over a restart.
  QVERIFY(t.settings.flush());
  AppSettings again(t.settings.file());
  QCOMPARE(again.adapter_folder(QStringLiteral("comfyui")), t.at("programs/two/models/loras"));
  // A folder that is gone is looked for again.
  QVERIFY(QDir(t.at("programs/two")).removeRecursively());
  QVERIFY(t.copy());
  QTRY_COMPARE(t.copied.size(), 3);
  QCOMPARE(t.copied[2][1].toString(), t.at("programs/one/models/loras/zorb.safetensors"));
}

void ResultTest::no_file_is_replaced_unasked() {
  Copying t;
  t.make_comfyui("ComfyUI");
  const QString there = t.at("programs/ComfyUI/models/loras/zorb.safetensors");
  put(there, "somebody else's");
  QVERIFY(t.copy());
  QVERIFY2(t.asked.endsWith(QStringLiteral("|zorb-2.safetensors")), qPrintable(t.asked));
  QCOMPARE(t.copied.size(), 0);
  QCOMPARE(bytes_of(there), QByteArray("somebody else's"));
  t.taken = AdapterCopier::Taken::rename;
  QVERIFY(t.copy());
  QTRY_COMPARE(t.copied.size(), 1);
  QCOMPARE(bytes_of(there), QByteArray("somebody else's"));
  QCOMPARE(bytes_of(t.at("programs/ComfyUI/models/loras/zorb-2.safetensors")),
           QByteArray("adapter of the run"));
  t.taken = AdapterCopier::Taken::replace;
  QVERIFY(t.copy());
  QTRY_COMPARE(t.copied.size(), 2);
  QCOMPARE(bytes_of(there), QByteArray("adapter of the run"));
}

void ResultTest::a_copy_that_fails_leaves_nothing() {
  Copying t;
  t.make_comfyui("ComfyUI");
  QFile::remove(t.adapter());
  QVERIFY(t.copy());
  QTRY_COMPARE(t.failed.size(), 1);
  QVERIFY(t.failed[0][0].toString().contains(QStringLiteral("zorb.safetensors")));
  QVERIFY(
      QDir(t.at("programs/ComfyUI/models/loras")).entryList(QDir::Files | QDir::Hidden).isEmpty());
  QVERIFY(!t.copier.is_busy());
}

void ResultTest::train_again_takes_the_settings() {
  FakeEngine fake;
  fake.steps = 5;
  TestSession t(fake);
  t.session->document().edit("adapter.rank", 24);
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  t.session->document().edit("adapter.rank", 4);
  QTest::mouseClick(t.window().results()->view()->again_button(), Qt::LeftButton);
  QCOMPARE(t.session->document().preset().adapter.rank, 24);
  QCOMPARE(t.window().page(), t.window().setup_page());
}

void ResultTest::folders_that_are_gone_are_told() {
  FakeEngine fake;
  fake.steps = 5;
  fake.folder = "/nowhere/at/all";
  TestSession t(fake);
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QTest::mouseClick(t.window().results()->view()->folder_button(), Qt::LeftButton);
  QVERIFY2(t.window().messages()->text().contains(QStringLiteral("/nowhere/at")),
           qPrintable(t.window().messages()->text()));
}

void ResultTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS is not set");
  }
  FakeEngine fake;
  fake.steps = 400;
  fake.per_step = std::chrono::microseconds(100);
  fake.sample_every = 100;
  QTemporaryDir folder;
  fake.folder = to_path(folder.path());
  fake.sample_file = make_test_image(folder.path(), 3);
  fill_run(folder.path(), QStringLiteral("zorb"));
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    TestSession t(fake);
    t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    t.session->document().edit("output.name", "zorb");
    t.show();
    t.window().actions()->start->trigger();
    QVERIFY(t.wait_for_end(20000));
    emit t.window().status()->result_wanted();
    QVERIFY(settled(t.window().results()->view()));
    for (const QSize& size : {QSize(1024, 700), QSize(1600, 1000)}) {
      t.window().resize(size);
      QTest::qWait(100);
      QVERIFY(t.window().grab().save(QStringLiteral("%1/result-%2-%3.png")
                                         .arg(keep, mode == ThemeMode::dark ? "dark" : "light")
                                         .arg(size.width())));
    }
  }
}

}  // namespace mantissa::gui
