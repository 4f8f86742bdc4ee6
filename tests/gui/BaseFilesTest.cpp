#include "tests/gui/BaseFilesTest.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/io/base_files.h"
#include "engine/plan/draft_plan.h"
#include "engine/preflight/preflight.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/PreflightList.h"
#include "gui/run/BaseFilesDialog.h"
#include "gui/run/JobPanel.h"
#include "gui/run/PartRow.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/FakeEngine.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

namespace fs = std::filesystem;

/// A folder as ComfyUI keeps models, with the tiny models' parts, and the dialog on it.
struct Models {
  QTemporaryDir folder;
  Theme theme;
  std::unique_ptr<BaseFilesDialog> dialog;

  QString at(const char* name) const {
    return QDir::toNativeSeparators(folder.filePath(QString::fromLatin1(name)));
  }
  QString put(const char* part, const char* name) const {
    const fs::path from = fs::path(MANTISSA_TEST_DATA "/golden/models") / part;
    const fs::path to = to_path(at(name));
    fs::create_directories(to.parent_path());
    for (const auto& entry : fs::directory_iterator(from)) {
      if (entry.path().extension() == ".safetensors") {
        fs::copy_file(entry.path(), to);
      }
    }
    return at(name);
  }
  /// Z-Image's three files; the transformer's.
  QString put_z_image() const {
    put("z_image/text_encoder", "text_encoders/q.safetensors");
    put("z_image/vae", "vae/ae.safetensors");
    return put("z_image/transformer", "diffusion_models/z.safetensors");
  }
  void open(const QString& base) {
    dialog = std::make_unique<BaseFilesDialog>(base, &theme, nullptr);
    dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    dialog->show();
  }
  /// Waits until a row says so.
  bool says(PartRow* (BaseFilesDialog::*row)(Part) const, Part part, const char* text) const {
    return QTest::qWaitFor(
        [&] {
          const PartRow* there = (*dialog.*row)(part);
          return there != nullptr && there->status().contains(QString::fromUtf8(text));
        },
        20000);
  }
  bool part_says(Part part, const char* text) const {
    return says(&BaseFilesDialog::part, part, text);
  }
  bool can_save() const {
    return QTest::qWaitFor([&] { return dialog->save_button()->isEnabled(); }, 20000);
  }
};

}  // namespace

void BaseFilesTest::what_fits_is_filled_in_and_saved() {
  Models m;
  const QString transformer = m.put_z_image();
  m.put("flux2/vae", "vae/other.safetensors");
  m.open(transformer);
  QVERIFY(!m.dialog->save_button()->isEnabled());
  QVERIFY(m.can_save());
  QCOMPARE(m.dialog->transformer()->status(), QStringLiteral("Z-Image"));
  QCOMPARE(m.dialog->part(kTe1)->path(), m.at("text_encoders/q.safetensors"));
  QCOMPARE(m.dialog->part(kVae)->path(), m.at("vae/ae.safetensors"));
  QCOMPARE(m.dialog->part(kVae)->status(), QStringLiteral("Fits"));
  QVERIFY(m.dialog->part(kTe2) == nullptr);
  QVERIFY(m.dialog->tokenizer(kTe1) == nullptr);
  QCOMPARE(m.dialog->target()->path(), m.at("diffusion_models/z.base.json"));
  QSignalSpy saved(m.dialog.get(), &BaseFilesDialog::saved);
  m.dialog->save_button()->click();
  QCOMPARE(saved.size(), 1);
  QCOMPARE(saved[0][0].toString(), m.at("diffusion_models/z.base.json"));
  QVERIFY(!m.dialog->isVisible());
  const BaseFiles files = read_base_files(to_path(m.at("diffusion_models/z.base.json")));
  QCOMPARE(files.parts.at(kTe1), to_path(m.at("text_encoders/q.safetensors")));
  QCOMPARE(files.parts.size(), std::size_t{3});
}

void BaseFilesTest::what_does_not_fit_is_told_and_blocks_saving() {
  Models m;
  const QString transformer = m.put_z_image();
  const QString other = m.put("flux2/vae", "vae/other.safetensors");
  m.put("z_image/vae", "vae/twin.safetensors");
  m.open(transformer);
  QVERIFY(m.part_says(kVae, "Several files fit: ae.safetensors, twin.safetensors"));
  QCOMPARE(m.dialog->part(kVae)->path(), QString());
  QVERIFY(!m.dialog->save_button()->isEnabled());
  PathEdit* vae = m.dialog->part(kVae)->edit();
  vae->set_path(other);
  QVERIFY(m.part_says(kVae, "the two parts belong to different models"));
  QCOMPARE(m.dialog->part(kVae)->state(), PartRow::State::bad);
  QVERIFY(!m.dialog->save_button()->isEnabled());
  QCOMPARE(vae->findChild<QLineEdit*>()->accessibleDescription(), m.dialog->part(kVae)->status());
  vae->set_path(m.at("vae/nowhere.safetensors"));
  QVERIFY(m.part_says(kVae, "nowhere.safetensors"));
  vae->set_path(m.at("vae/twin.safetensors"));
  QVERIFY(m.can_save());
  m.dialog->transformer()->edit()->set_path(other);
  QVERIFY(QTest::qWaitFor([&] { return m.dialog->transformer()->state() == PartRow::State::bad; },
                          20000));
  QVERIFY(!m.dialog->save_button()->isEnabled());
}

void BaseFilesTest::another_family_has_other_rows() {
  Models m;
  const QString first = m.put("z_image/transformer", "diffusion_models/z.safetensors");
  m.put("z_image/vae", "vae/ae.safetensors");
  m.put("anima/text_encoder", "text_encoders/a.safetensors");  // fits the other one too
  m.put("anima/text_conditioner", "text_encoders/c.safetensors");
  const QString second = m.put("anima/transformer", "diffusion_models/a.safetensors");
  m.open(first);
  QVERIFY(m.can_save());
  m.dialog->transformer()->edit()->set_path(second);
  QVERIFY(m.says(&BaseFilesDialog::tokenizer, kTe2, "part of the original model"));
  QCOMPARE(m.dialog->part(kTe1)->path(), m.at("text_encoders/a.safetensors"));
  QCOMPARE(m.dialog->part(kTe2)->path(), m.at("text_encoders/c.safetensors"));
  QCOMPARE(m.dialog->part(kVae)->path(), QString());
  QVERIFY(m.part_says(kVae, "No file that fits was found"));
  QCOMPARE(m.dialog->target()->path(), m.at("diffusion_models/a.base.json"));
  QVERIFY(!m.dialog->save_button()->isEnabled());
  m.dialog->tokenizer(kTe2)->edit()->set_path(m.folder.path());
  QVERIFY(QTest::qWaitFor([&] { return m.dialog->tokenizer(kTe2)->state() == PartRow::State::bad; },
                          20000));
}

void BaseFilesTest::a_list_is_changed() {
  Models m;
  const QString transformer = m.put_z_image();
  m.put("z_image/vae", "vae/twin.safetensors");
  BaseFiles files;
  files.parts[kDenoiser] = to_path(transformer);
  files.parts[kTe1] = to_path(m.at("text_encoders/q.safetensors"));
  files.parts[kVae] = to_path(m.at("vae/twin.safetensors"));
  const QString list = m.at("mine.json");
  write_base_files(to_path(list), files);
  m.open(list);
  QVERIFY(m.can_save());
  QCOMPARE(m.dialog->part(kVae)->path(), m.at("vae/twin.safetensors"));
  QCOMPARE(m.dialog->target()->path(), list);
  QVERIFY(m.dialog->target()->status().contains(QStringLiteral("Replaces the list")));
  m.dialog->part(kVae)->edit()->set_path(m.at("vae/ae.safetensors"));
  QVERIFY(!m.dialog->save_button()->isEnabled());
  QVERIFY(m.can_save());
  m.dialog->save_button()->click();
  QCOMPARE(read_base_files(to_path(list)).parts.at(kVae), to_path(m.at("vae/ae.safetensors")));
}

void BaseFilesTest::another_file_is_not_replaced() {
  Models m;
  const QString transformer = m.put_z_image();
  const QString preset = m.at("diffusion_models/z.base.json");
  std::ofstream(to_path(preset)) << "{}";
  m.open(transformer);
  QVERIFY(m.part_says(kVae, "Fits"));
  QTest::qWait(300);
  QCOMPARE(m.dialog->target()->state(), PartRow::State::bad);
  QVERIFY(!m.dialog->save_button()->isEnabled());
  m.dialog->target()->edit()->set_path(m.at("z.txt"));
  QCOMPARE(m.dialog->target()->state(), PartRow::State::bad);
  m.dialog->target()->edit()->set_path(m.at("no/folder/z.json"));
  QVERIFY(m.can_save());
  m.dialog->save_button()->click();
  QVERIFY(m.dialog->isVisible());
  QCOMPARE(m.dialog->target()->state(), PartRow::State::bad);
  m.dialog->target()->edit()->set_path(m.at("z.json"));
  QVERIFY(m.can_save());
}

void BaseFilesTest::a_lone_transformer_offers_it() {
  Models m;
  const QString transformer = m.put_z_image();
  qputenv("MANTISSA_HOME", m.folder.path().toUtf8());
  {
    SessionOptions options;
    options.runner = FakeEngine{};
    options.planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::whole); };
    options.live_planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::draft); };
    options.draft_planner = [quick = std::make_shared<DraftPlanner>()](const JobSpec& job) {
      return quick->plan(job);
    };
    options.settings_file = m.at("s.ini");
    Session session(*qobject_cast<QApplication*>(qApp), std::move(options));
    MainWindow& window = session.window();
    window.show();
    session.document().edit("data.resolution", 64);
    JobPanel* job = window.setup_page()->job();
    job->use_demo();
    job->base()->set_path(transformer);
    PreflightList* list = window.setup_page()->precision()->list();
    const auto offered = [&] {
      return !list->lines().isEmpty() &&
             list->button(0)->text() == QStringLiteral("Separate files…");
    };
    QVERIFY(QTest::qWaitFor(offered, 20000));
    QTest::mouseClick(list->button(0), Qt::LeftButton);
    auto* dialog = job->findChild<BaseFilesDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return dialog->save_button()->isEnabled(); }, 20000));
    dialog->save_button()->click();
    QCOMPARE(job->base()->path(), m.at("diffusion_models/z.base.json"));
    QVERIFY(QTest::qWaitFor(
        [&] {
          return std::ranges::none_of(list->lines(), [](const QString& line) {
            return line.contains(QStringLiteral("holds no"));
          });
        },
        20000));
  }
  qunsetenv("MANTISSA_HOME");
}

void BaseFilesTest::keys_lead_through_it() {
  TestSession t{FakeEngine{}};
  t.show();
  JobPanel* job = t.window().setup_page()->job();
  Models m;
  job->base()->set_path(m.put_z_image());
  job->files_button()->setFocus();
  QTest::keyClick(job->files_button(), Qt::Key_Space);
  auto* dialog = job->findChild<BaseFilesDialog*>();
  QVERIFY(dialog != nullptr);
  QVERIFY(QTest::qWaitFor([&] { return dialog->save_button()->isEnabled(); }, 20000));
  // Every control has a name, and Tab goes from row to row.
  QStringList names;
  for (const QWidget* w : dialog->findChildren<QWidget*>()) {
    if (qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w)) {
      QVERIFY2(!w->accessibleName().isEmpty(), w->metaObject()->className());
    }
  }
  QWidget* at = dialog->transformer()->edit()->findChild<QLineEdit*>();
  for (int i = 0; i < 40 && at != nullptr; ++i) {
    if (qobject_cast<QLineEdit*>(at) || at == dialog->save_button()) {
      names << at->accessibleName();
    }
    at = at == dialog->save_button() ? nullptr : at->nextInFocusChain();
  }
  QCOMPARE(names, (QStringList{QStringLiteral("Transformer"), QStringLiteral("Text encoder"),
                               QStringLiteral("VAE"), QStringLiteral("Save as"),
                               QStringLiteral("Save the list and use it as the base model")}));
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(QTest::qWaitFor([&] { return job->findChild<BaseFilesDialog*>() == nullptr; }));
  QVERIFY(!job->base()->path().endsWith(QStringLiteral(".json")));
}

void BaseFilesTest::nothing_is_cut_off() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  Models m;
  const QString transformer = m.put_z_image();
  const QString other = m.put("flux2/vae", "vae/other.safetensors");
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    m.theme.apply(*qobject_cast<QApplication*>(qApp), mode);
    m.open(transformer);
    QVERIFY(m.can_save());
    m.dialog->part(kVae)->edit()->set_path(other);
    QVERIFY(m.part_says(kVae, "different models"));
    QTest::qWait(100);
    // Nothing is cut off.
    for (const QLabel* label : m.dialog->findChildren<QLabel*>()) {
      QVERIFY(label->height() >= label->heightForWidth(label->width()));
    }
    const QString name = mode == ThemeMode::dark ? QStringLiteral("/dark-base-files.png")
                                                 : QStringLiteral("/light-base-files.png");
    QVERIFY(keep.isEmpty() || m.dialog->grab().save(keep + name));
  }
}

}  // namespace mantissa::gui
