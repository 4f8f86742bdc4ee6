// The Tools page, on tiny models and adapters.
#include "tests/gui/ToolsTest.h"

#include <QCheckBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>
#include <QTranslator>
#include <QtTest>
#include <algorithm>

#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/tools/ToolAdapters.h"
#include "gui/tools/ToolsPage.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/PathEdit.h"
#include "gui/widgets/SciSpin.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

const QString kBase = QStringLiteral(MANTISSA_TEST_DATA "/golden/models/a.safetensors");
const QString kAdapters = QStringLiteral(MANTISSA_TEST_DATA "/golden/adapters/");

struct ToolStudio : TestSession {
  ToolStudio() : TestSession(FakeEngine{}, false) {
    show();
    QTest::keyClick(&window(), Qt::Key_7, Qt::ControlModifier);
  }
  ToolsPage* page() { return qobject_cast<ToolsPage*>(window().page()); }
  ToolForm* open(Tool tool) {
    page()->show_tool(tool);
    if (PathEdit* base = page()->form()->path(ToolField::base)) {
      base->set_path(kBase);
    }
    return page()->form();
  }
  QString in(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
  static void choose(NoWheelCombo* box, const char* word) {
    box->setCurrentIndex(box->findData(QString::fromLatin1(word)));
  }
  /// Types a path, as a user does.
  static void type(PathEdit* edit, const QString& path) {
    auto* line = edit->findChild<QLineEdit*>();
    line->selectAll();
    QTest::keyClicks(line, path);
  }
  bool work() {
    QTest::mouseClick(page()->start_button(), Qt::LeftButton);
    return QTest::qWaitFor([&] { return !page()->is_busy(); }, 30000);
  }
};

}  // namespace

void ToolsTest::every_option_has_its_field() {
  ToolStudio t;
  QVERIFY(t.page() != nullptr);
  QCOMPARE(t.page()->tools()->count(), static_cast<int>(tool_table().size()));
  for (const ToolRow& row : tool_table()) {
    const ToolForm* form = t.open(row.tool);
    for (const ToolOption& option : row.options) {
      const bool shown = option.field == ToolField::adapters    ? form->adapters() != nullptr
                         : option.field == ToolField::rank      ? form->rank() != nullptr
                         : option.field == ToolField::energy    ? form->energy() != nullptr
                         : option.field == ToolField::overwrite ? form->overwrite() != nullptr
                         : tool_words(option.field).empty() ? form->path(option.field) != nullptr
                                                            : form->box(option.field) != nullptr;
      QVERIFY2(shown, std::string(option.name).c_str());
    }
  }
}

void ToolsTest::adapters_are_merged_and_extracted_again() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::merge);
  ToolStudio::type(form->adapters()->path(0), kAdapters + QStringLiteral("diffusers.safetensors"));
  form->adapters()->weight(0)->set_value(0.5);
  QVERIFY(!t.page()->start_button()->isEnabled());
  ToolStudio::type(form->path(ToolField::out), t.in("merged.safetensors"));
  ToolStudio::choose(form->box(ToolField::dtype), "fp32");
  QVERIFY(t.page()->start_button()->isEnabled());
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().startsWith(
               QStringLiteral("Merged diffusers.safetensors at strength 0.5 (4 modules)")),
           qPrintable(t.page()->said()));
  QVERIFY(QFile::exists(t.in("merged.safetensors")));
  QVERIFY(t.page()->open_button()->isVisible());
  form = t.open(Tool::extract);
  form->path(ToolField::tuned)->set_path(t.in("merged.safetensors"));
  form->path(ToolField::out)->set_path(t.in("back.safetensors"));
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().startsWith(QStringLiteral("4 modules")), qPrintable(t.page()->said()));
  QVERIFY(QFile::exists(t.in("back.safetensors")));
}

void ToolsTest::an_adapter_is_converted_and_resized() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::convert);
  form->path(ToolField::file)->set_path(kAdapters + QStringLiteral("loha.safetensors"));
  form->path(ToolField::out)->set_path(t.in("x.safetensors"));
  ToolStudio::choose(form->box(ToolField::format), "onetrainer");
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().startsWith(QStringLiteral("3 modules, every tensor as it was")),
           qPrintable(t.page()->said()));
  form = t.open(Tool::resize);
  form->path(ToolField::file)->set_path(t.in("x.safetensors"));
  form->path(ToolField::out)->set_path(t.in("small.safetensors"));
  form->rank()->set_value(2);
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().contains(QStringLiteral("rank up to 2")), qPrintable(t.page()->said()));
  // What is there is replaced only when it is asked for.
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().contains(QStringLiteral("small.safetensors")) &&
               t.page()->said().contains(QStringLiteral("“Overwrite”")),
           qPrintable(t.page()->said()));
  QVERIFY(!t.page()->open_button()->isVisible());
  form->overwrite()->setChecked(true);
  QVERIFY(t.work());
  QVERIFY(t.page()->open_button()->isVisible());
}

void ToolsTest::a_program_decides_on_the_format() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::convert);
  form->path(ToolField::file)->set_path(kAdapters + QStringLiteral("diffusers.safetensors"));
  form->path(ToolField::out)->set_path(t.in("x.safetensors"));
  ToolStudio::choose(form->box(ToolField::reader), "comfyui");
  QVERIFY(!form->box(ToolField::format)->isEnabled());
  QVERIFY(t.work());
  QCOMPARE(t.page()->rows()->rowCount(), 1);
  QCOMPARE(t.page()->rows()->item(0, 0)->text(), QStringLiteral("Works"));
}

void ToolsTest::a_model_is_quantised() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::quantise);
  form->path(ToolField::out)->set_path(t.in("q.safetensors"));
  ToolStudio::choose(form->box(ToolField::weights), "int8");
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().contains(QStringLiteral("signal to rounding noise")),
           qPrintable(t.page()->said()));
  QVERIFY(QFile::exists(t.in("q.safetensors")));
}

void ToolsTest::a_file_is_inspected() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::inspect);
  form->path(ToolField::base)->set_path(QString());
  form->path(ToolField::file)->set_path(kAdapters + QStringLiteral("loha.safetensors"));
  QVERIFY(t.work());
  QVERIFY(t.page()->rows()->isVisible() && t.page()->rows()->rowCount() > 8);
  QCOMPARE(t.page()->rows()->item(0, 1)->text(), QStringLiteral("Adapter"));
  ToolStudio::choose(form->box(ToolField::readers), "all");
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().contains(QStringLiteral("“Program” needs “Base model”")),
           qPrintable(t.page()->said()));
  form->path(ToolField::base)->set_path(kBase);
  QVERIFY(t.work());
  QVERIFY(t.page()->rows()->rowCount() > 3);
}

void ToolsTest::refusals_name_the_fields() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::quantise);
  form->path(ToolField::out)->set_path(t.in("q.ckpt"));
  QVERIFY(t.work());
  QVERIFY2(t.page()->said().startsWith(QStringLiteral("“Result”")) &&
               !t.page()->said().contains(QStringLiteral("--")),
           qPrintable(t.page()->said()));
  const auto has_heading = [&](const QString& text) {
    const auto labels = t.page()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->text() == text; });
  };
  QVERIFY(has_heading(QStringLiteral("Result: Quantise")));
  t.open(Tool::inspect);
  QVERIFY(has_heading(QStringLiteral("Result")) &&
          !has_heading(QStringLiteral("Result: Quantise")));
  // No sentence of the form names an option of the command line.
  for (const ToolRow& row : tool_table()) {
    for (const ToolOption& option : row.options) {
      QVERIFY2(!tool_text(option.help).contains(QStringLiteral("--")),
               qPrintable(tool_text(option.help)));
    }
  }
}

void ToolsTest::what_is_missing_is_told() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::resize);
  QCOMPARE(form->missing(), QStringLiteral("“File” is missing."));
  form->path(ToolField::file)->set_path(kAdapters + QStringLiteral("loha.safetensors"));
  form->path(ToolField::out)->set_path(t.in("x.safetensors"));
  QCOMPARE(form->missing(), QString());
  auto* line = form->rank()->findChild<QLineEdit*>();
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral("5000"));
  QCOMPARE(form->missing(), QStringLiteral("“Rank” is a number from 1 to 4096."));
  QVERIFY(!t.page()->start_button()->isEnabled());
}

void ToolsTest::a_dropped_file_is_taken() {
  ToolStudio t;
  const auto drop = [&](const QString& file) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(t.page(), &enter);
    QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(t.page(), &event);
    return enter.isAccepted();
  };
  const QString lora = kAdapters + QStringLiteral("loha.safetensors");
  QVERIFY(t.open(Tool::inspect) != nullptr && drop(lora));
  QCOMPARE(t.page()->form()->path(ToolField::file)->path(), lora);
  ToolForm* merge = t.open(Tool::merge);
  QVERIFY(drop(lora) && drop(kAdapters + QStringLiteral("lokr.safetensors")));
  QCOMPARE(merge->adapters()->adapters().size(), std::size_t{2});
}

void ToolsTest::tools_are_found_by_their_words() {
  ToolStudio t;
  const auto found = [&] {
    QStringList list;
    for (int at = 0; at < t.page()->tools()->count(); ++at) {
      if (!t.page()->tools()->item(at)->isHidden()) {
        list << t.page()->tools()->item(at)->text();
      }
    }
    return list;
  };
  t.page()->tools()->setFocus();
  QTest::keyClick(t.page()->tools(), Qt::Key_F, Qt::ControlModifier);
  QVERIFY(t.page()->search()->hasFocus());
  QTest::keyClicks(t.page()->search(), QStringLiteral("singular"));
  QCOMPARE(found(), QStringList{QStringLiteral("Resize")});
  QVERIFY(t.page()->form()->row().tool == Tool::resize);
  t.page()->search()->setText(QStringLiteral("--rank"));
  QCOMPARE(found(), (QStringList{QStringLiteral("Extract"), QStringLiteral("Resize")}));
  t.page()->search()->clear();
  QCOMPARE(found().size(), t.page()->tools()->count());
}

void ToolsTest::a_cancelled_tool_says_nothing_more() {
  ToolStudio t;
  ToolForm* form = t.open(Tool::quantise);
  form->path(ToolField::out)->set_path(t.in("q.safetensors"));
  QTest::mouseClick(t.page()->start_button(), Qt::LeftButton);
  QVERIFY(t.page()->cancel_button()->isEnabled() && !t.page()->start_button()->isEnabled());
  QTest::mouseClick(t.page()->cancel_button(), Qt::LeftButton);
  QVERIFY(!t.page()->is_busy());
  QTest::qWait(300);
  QVERIFY2(t.page()->said().startsWith(QStringLiteral("Cancelled")), qPrintable(t.page()->said()));
  QVERIFY(!t.page()->open_button()->isVisible());
}

void ToolsTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  QDir().mkpath(keep);
  for (const char* language : {"en", "ja", "zh_CN"}) {
    load_language(*qobject_cast<QApplication*>(qApp), QString::fromLatin1(language));
    for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
      ToolStudio t;
      t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
      const QString look =
          mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light");
      for (const QSize& size : {QSize(1024, 700), QSize(2560, 1440)}) {
        t.window().resize(size);
        for (const ToolRow& row : tool_table()) {
          ToolForm* form = t.open(row.tool);
          if (row.tool == Tool::inspect) {
            form->path(ToolField::file)->set_path(kAdapters + QStringLiteral("loha.safetensors"));
            QVERIFY(t.work());
          }
          QTest::qWait(50);
          QVERIFY(t.window().grab().save(QStringLiteral("%1/tools-%2-%3-%4-%5.png")
                                             .arg(keep, QString::fromLatin1(language), look)
                                             .arg(size.width())
                                             .arg(to_qstring(row.name))));
        }
      }
    }
  }
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

}  // namespace mantissa::gui
