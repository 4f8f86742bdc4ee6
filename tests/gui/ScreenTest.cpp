#include "tests/gui/ScreenTest.h"

#include <QAbstractButton>
#include <QDialog>
#include <QLayout>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QtTest>

#include "gui/app/CloseSheet.h"
#include "gui/app/HelpDialog.h"
#include "gui/app/PageTable.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/base/Text.h"
#include "gui/desktop/ScreenFit.h"
#include "gui/engine/AppSettings.h"
#include "gui/models/ModelPicker.h"
#include "gui/preset/ImportDialog.h"
#include "gui/run/BaseFilesDialog.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/widgets/QuestionSheet.h"
#include "gui/wizard/FirstRunWizard.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

constexpr const char* kInside = "MANTISSA_TEST_INSIDE";  ///< set where the screen is a small one

QString frame_text(const QWidget& window) {
  const QRect f = window.frameGeometry(), s = window.screen()->availableGeometry();
  return QStringLiteral("%1 is %2 x %3 at %4, %5 on a screen of %6 x %7")
      .arg(QString::fromLatin1(window.metaObject()->className()))
      .arg(f.width())
      .arg(f.height())
      .arg(f.x())
      .arg(f.y())
      .arg(s.width())
      .arg(s.height());
}

bool is_within(const QWidget& window) {
  return window.screen()->availableGeometry().contains(window.frameGeometry());
}

/// Whether the whole of a widget can be seen in its window.
bool is_in_sight(const QWidget* widget) {
  return widget->isVisible() && widget->visibleRegion().boundingRect() == widget->rect();
}

/// Whether it is in something that scrolls.
bool is_in_a_scroll_area(const QWidget* widget) {
  for (const QWidget* at = widget->parentWidget(); at != nullptr; at = at->parentWidget()) {
    if (at->inherits("QAbstractScrollArea")) {
      return true;
    }
  }
  return false;
}

void keep(QWidget& window, const QString& name) {
  const QString folder = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!folder.isEmpty()) {
    const QSize screen = window.screen()->size();
    QVERIFY(window.grab().save(QStringLiteral("%1/screen-%2x%3-%4.png")
                                   .arg(folder)
                                   .arg(screen.width())
                                   .arg(screen.height())
                                   .arg(name)));
  }
}

void check_dialog(QWidget& window, const QString& name) {
  QTest::qWait(60);
  QVERIFY2(is_within(window), qPrintable(frame_text(window)));
  QVERIFY2(window.layout() == nullptr ||
               window.layout()->totalMinimumSize().height() <= window.height() + 1,
           qPrintable(QStringLiteral("%1 needs %2 of %3 px")
                          .arg(name)
                          .arg(window.layout()->totalMinimumSize().height())
                          .arg(window.height())));
  for (const QPushButton* button : window.findChildren<QPushButton*>()) {
    QVERIFY2(!button->isVisible() || is_in_a_scroll_area(button) || is_in_sight(button),
             qPrintable(name + QLatin1String(": ") + button->text()));
  }
  keep(window, name);
}

/// Closes a dialog once it was checked.
template <typename Dialog>
void check_open(MainWindow& window, const QString& name) {
  Dialog* found = nullptr;
  QVERIFY2(QTest::qWaitFor(
               [&] {
                 for (Dialog* dialog : window.findChildren<Dialog*>()) {
                   found = dialog->isVisible() ? dialog : found;
                 }
                 return found != nullptr;
               },
               20000),
           qPrintable(name));
  check_dialog(*found, name);
  found->close();
  QTest::qWait(10);
}

}  // namespace

void ScreenTest::small_screens_data() {
  QTest::addColumn<QString>("screen");
  QTest::addColumn<QString>("scale");
  QTest::newRow("1024 x 700") << QStringLiteral("1024x700") << QStringLiteral("1");
  QTest::newRow("1600 x 1000 at 1.5") << QStringLiteral("1600x1000") << QStringLiteral("1.5");
  QTest::newRow("1366 x 768") << QStringLiteral("1366x768") << QStringLiteral("1");
}

/// The tests below once more, each on a screen of its own.
void ScreenTest::small_screens() {
  if (qEnvironmentVariableIsSet(kInside)) {
    QSKIP("this is one");
  }
  if (QGuiApplication::platformName() != QLatin1String("offscreen")) {
    QSKIP("only the offscreen platform has screens of any size");
  }
  QFETCH(QString, screen);
  QFETCH(QString, scale);
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  environment.insert(QStringLiteral("MANTISSA_TEST_SCREEN"), screen);
  environment.insert(QStringLiteral("QT_SCALE_FACTOR"), scale);
  environment.insert(QString::fromLatin1(kInside), QStringLiteral("1"));
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("ScreenTest")});
  QVERIFY(process.waitForFinished(240'000));
  QVERIFY2(process.exitCode() == 0, process.readAll().constData());
}

void ScreenTest::the_window_opens_within_the_screen() {
  TestSession t{FakeEngine{}};
  t.show();
  QTest::qWait(60);
  MainWindow& window = t.window();
  QVERIFY2(is_within(window), qPrintable(frame_text(window)));
  QVERIFY2(is_in_sight(window.run_bar()->button(window.actions()->start)),
           qPrintable(frame_text(window)));
  keep(window, QStringLiteral("setup"));
}

void ScreenTest::a_window_of_a_larger_screen_is_brought_in() {
  TestSession t{FakeEngine{}};
  {
    QWidget large;
    large.setGeometry(1900, 700, 2400, 1500);
    t.session->settings().set_geometry(large.saveGeometry());
  }
  t.start_again();
  t.show();
  QTest::qWait(60);
  MainWindow& window = t.window();
  QVERIFY2(is_within(window), qPrintable(frame_text(window)));
  QVERIFY(is_in_sight(window.run_bar()->button(window.actions()->start)));
  // Nothing that is shown later asks for more.
  window.resize(5000, 4000);
  ScreenFit::fit(window);
  QVERIFY2(is_within(window), qPrintable(frame_text(window)));
}

void ScreenTest::pages_have_their_room() {
  TestSession t{FakeEngine{}};
  t.show();
  MainWindow& window = t.window();
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    Page* page = window.pages()[i];
    window.show_page(page);
    QVERIFY(QTest::qWaitFor([&] { return !window.is_loading(); }, 20000));
    QTest::qWait(30);
    QVERIFY2(page->minimumSizeHint().height() <= page->height() &&
                 page->minimumSizeHint().width() <= page->width(),
             page_table()[i].id);
    QVERIFY(is_in_sight(window.run_bar()->button(window.actions()->start)));
    keep(window, QString::fromLatin1(page_table()[i].id));
  }
}

void ScreenTest::every_dialog_fits() {
  TestSession t{FakeEngine{}};
  t.show();
  MainWindow& window = t.window();
  if (FirstRunWizard* wizard = t.session->welcome()) {
    check_dialog(*wizard, QStringLiteral("wizard"));
    wizard->close();
  }
  window.files()->show_picker();
  check_open<QDialog>(window, QStringLiteral("picker"));
  window.files()->import_file(
      QStringLiteral(MANTISSA_SOURCE_DIR "/tests/golden/import/kohya_sdxl.toml"));
  check_open<ImportDialog>(window, QStringLiteral("import"));
  (new ShortcutsDialog(&window, &t.session->theme(), &window))->open();
  check_open<ShortcutsDialog>(window, QStringLiteral("shortcuts"));
  (new HelpDialog(HelpDialog::guide, &t.session->theme(), &window))->open();
  check_open<HelpDialog>(window, QStringLiteral("guide"));
  (new AboutDialog(std::vector<std::pair<QString, QString>>(1), &t.session->theme(), &window))
      ->open();
  check_open<AboutDialog>(window, QStringLiteral("about"));
  (new BaseFilesDialog(QString(), &t.session->theme(), &window))->open();
  check_open<BaseFilesDialog>(window, QStringLiteral("base-files"));
  window.setup_page()->job()->find_models();
  check_open<ModelPicker>(window, QStringLiteral("models"));
  // The longest questions that are asked.
  const WindowQuestions ask = WindowQuestions::with_dialogs();
  const QString long_text =
      QStringLiteral("A question about a preset of a long name. ").repeated(8);
  ask.unsaved(&window, long_text, [](auto) {});
  check_open<QuestionSheet>(window, QStringLiteral("unsaved"));
  ask.closing(&window, long_text, true, [](auto) {});
  check_open<CloseSheet>(window, QStringLiteral("quit"));
  ask.how_to_stop(&window, long_text, [](auto) {});
  check_open<QuestionSheet>(window, QStringLiteral("stop"));
  ask.move_to_trash(&window, long_text, [] {});
  check_open<QuestionSheet>(window, QStringLiteral("trash"));
  ask.name_taken(&window, long_text, QStringLiteral("a-preset-of-a-long-name-2.safetensors"),
                 [](auto) {});
  check_open<QuestionSheet>(window, QStringLiteral("taken"));
}

}  // namespace mantissa::gui
