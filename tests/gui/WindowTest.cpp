#include "tests/gui/WindowTest.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <QTranslator>
#include <QtTest>
#include <map>

#include "gui/app/GuideText.h"
#include "gui/app/HelpDialog.h"
#include "gui/app/PageTable.h"
#include "gui/app/SetupPage.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Page.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

/// Can be reached by keyboard or mouse and does something.
bool is_interactive(const QWidget* w) {
  if (qobject_cast<const QScrollBar*>(w) != nullptr) {
    return false;  // part of its scroll area
  }
  return qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w) ||
         qobject_cast<const QComboBox*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
         qobject_cast<const QAbstractSlider*>(w) || qobject_cast<const QPlainTextEdit*>(w) ||
         qobject_cast<const QAbstractItemView*>(w) || qobject_cast<const QProgressBar*>(w) ||
         qobject_cast<const PlotWidget*>(w);
}

/// Parts that Qt creates inside its own controls; those represent them.
bool is_inner(const QWidget* w) {
  const QWidget* parent = w->parentWidget();
  return qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
         qobject_cast<const QMenuBar*>(parent) || qobject_cast<const QTableView*>(parent) ||
         w->inherits("QComboBoxListView") || w->objectName().startsWith(QLatin1String("qt_"));
}

/// Images of a page of the guide that are read and fit its width; -1000 for each that isn't.
int shown_images(const GuideText& text) {
  int shown = 0;
  QTextDocument* page = text.document();
  for (QTextBlock block = page->begin(); block.isValid(); block = block.next()) {
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextImageFormat format = it.fragment().charFormat().toImageFormat();
      if (format.isValid()) {
        const auto image =
            page->resource(QTextDocument::ImageResource, QUrl(format.name())).value<QImage>();
        const double own = image.width() / image.devicePixelRatio();
        const double width = format.hasProperty(QTextFormat::ImageWidth) ? format.width() : own;
        const QTextList* list = block.textList();
        const int level =
            block.blockFormat().indent() + (list != nullptr ? list->format().indent() : 0);
        const bool fits = width + level * page->indentWidth() <= text.viewport()->width();
        shown += !image.isNull() && fits ? 1 : -1000;
      }
    }
  }
  return shown;
}

/// Counts how often widgets are styled: each when it is created, and again with everything inside a
/// widget that gets another parent.
class StyleCounter : public QObject {
 public:
  StyleCounter() { qApp->installEventFilter(this); }
  int made = 0;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    made += event->type() == QEvent::StyleChange;
    return false;
  }
};

}  // namespace

/// Otherwise building the window takes twice as long.
void WindowTest::its_parts_are_made_where_they_stand() {
  const StyleCounter styles;
  TestSession t{FakeEngine{}};
  const auto widgets = static_cast<int>(t.window().findChildren<QWidget*>().size());
  qInfo("%d widgets, styled %d times", widgets, styles.made);
  QVERIFY(widgets > 1000);
  QVERIFY(styles.made < 2 * widgets);
}

void WindowTest::every_widget_has_a_name() {
  TestSession t{FakeEngine{}};
  t.show();
  // Also those that lists create on demand.
  t.session->document().edit("samples.prompts", nlohmann::json::parse(R"([{"prompt":"a"}])"));
  t.session->document().edit("precision.pins", nlohmann::json::parse(R"({"unet.conv_in":"fp32"})"));
  t.session->document().edit("optimizer.groups", nlohmann::json::parse(R"([{"part":"te1"}])"));
  PlanReport report = FakeEngine::plan({});
  report.findings.push_back(
      {"S5", Verdict::refused, {"precision.compute"}, Message::verbatim("m"), R"({"a":1})"});
  t.window().setup_page()->precision()->show_plan(report);
  int seen = 0;
  QStringList nameless;
  for (const QWidget* w : t.window().findChildren<QWidget*>()) {
    if (is_interactive(w) && !is_inner(w)) {
      ++seen;
      if (w->accessibleName().isEmpty()) {
        nameless << QString::fromLatin1(w->metaObject()->className()) + QLatin1Char(' ') +
                        w->objectName() + QStringLiteral(" in ") +
                        QString::fromLatin1(w->parentWidget()->metaObject()->className());
      }
    }
  }
  QVERIFY(seen > 150);
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
}

namespace {

/// Whether a key reaches the action: those of pages count while their page is shown.
bool is_in_reach(const QAction* action, const QWidget* window) {
  const QObject* up = action->parent();
  while (up != nullptr && qobject_cast<const Page*>(up) == nullptr) {
    up = up->parent();
  }
  const auto* page = qobject_cast<const Page*>(up);
  return action->shortcutContext() == Qt::WindowShortcut &&
         (page == nullptr || page->isVisibleTo(window));
}

}  // namespace

void WindowTest::shortcuts_are_unique() {
  TestSession t{FakeEngine{}};
  std::map<QString, QString> taken;
  const auto take_all = [&] {
    taken.clear();
    for (const QAction* action : t.window().findChildren<QAction*>()) {
      for (const QKeySequence& keys : action->shortcuts()) {
        const bool counts = is_in_reach(action, &t.window());
        const QString text = keys.toString();
        QVERIFY2(!counts || taken.emplace(text, action->text()).second,
                 qPrintable(text + QStringLiteral(" is taken twice: ") + action->text()));
      }
    }
  };
  for (Page* page : t.window().findChildren<Page*>()) {
    t.window().show_page(page);
    take_all();
  }
  t.window().show_page(t.window().setup_page());
  take_all();
  for (const char* keys : {"Ctrl+O", "Ctrl+S", "Ctrl+Z", "Ctrl+Y", "Ctrl+K", "F5", "F6"}) {
    QVERIFY2(taken.contains(QString::fromLatin1(keys)), keys);
  }
}

void WindowTest::text_is_never_markup() {
  FakeEngine fake;
  fake.fail_step = 3;
  fake.failure = Error(Message::verbatim("<img src=x> <b>bold</b>"));
  TestSession t{fake};
  t.show();
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  bool found = false;
  for (const QLabel* label : t.window().findChildren<QLabel*>()) {
    if (!label->text().isEmpty()) {
      QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
    }
    found = found || label->text() == QStringLiteral("<img src=x> <b>bold</b>");
  }
  QVERIFY(found);
  QVERIFY(t.window().run_page()->log()->text().contains(QStringLiteral("<b>2 threads</b>")));
}

void WindowTest::screenshots() {
  // MANTISSA_SCREENSHOTS keeps the screenshots for inspection.
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    const QString name = mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light");
    FakeEngine fake;
    fake.steps = 600;
    fake.per_step = std::chrono::microseconds(1000);
    fake.nan_step = 310;
    fake.save_every = 200;
    fake.sample_every = 150;
    TestSession t{fake};
    fake.sample_file = make_test_image(t.folder.path(), 2);
    TestSession s{fake};
    s.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    s.session->document().edit("name", "portrait-xl");
    s.session->document().edit("optimizer.learning_rate", 2e-4);
    s.session->document().edit("training.steps", 600);
    s.session->document().edit("precision.compute", "fp16");
    s.session->document().edit("samples.prompts",
                               nlohmann::json::parse(R"([{"prompt":"a red disc on a wall"}])"));
    s.show();
    s.window().actions()->check->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !s.engine().is_checking(); }));
    s.window().actions()->start->trigger();
    QVERIFY(s.wait_for_end(15000));
    // Blocks the next start, and shows on the Setup page.
    s.session->document().edit("precision.loss_scaling", "off");
    QVERIFY(QTest::qWaitFor([&] { return s.window().setup_page()->precision()->refused() == 1; }));
    if (!keep.isEmpty()) {
      SchemaForm* form = s.window().setup_page()->form();
      s.window().show_page(s.window().setup_page());
      form->set_show_advanced(true);
      QCoreApplication::processEvents();
      QVERIFY(QDir().mkpath(keep) && form->widget()->grab().save(keep + QLatin1Char('/') + name +
                                                                 QStringLiteral("-form.png")));
      form->set_show_advanced(false);
    }
    const QString out = keep.isEmpty() ? s.folder.filePath(QStringLiteral("shots"))
                                       : keep + QLatin1Char('/') + name;
    s.session->save_screenshots(out);
    for (const PageRow& page : page_table()) {
      const QImage image(out + QLatin1Char('/') + QLatin1String(page.id) + QStringLiteral(".png"));
      QCOMPARE(image.size(), s.window().size() * s.window().devicePixelRatioF());
      // Something is drawn, in the theme's colours.
      QSet<QRgb> colors;
      for (int y = 0; y < image.height(); y += 9) {
        for (int x = 0; x < image.width(); x += 9) {
          colors.insert(image.pixel(x, y));
        }
      }
      QVERIFY(colors.size() > 12);
      const bool dark = QColor(image.pixel(image.width() - 6, image.height() / 2)).lightness() < 90;
      QCOMPARE(dark, mode == ThemeMode::dark);
    }
  }
}

void WindowTest::language_changes_live() {
  TestSession t{FakeEngine{}};
  t.session->restore_draft();
  t.show();
  t.session->document().edit("adapter.rank", 24);
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  const std::size_t steps = t.session->data().loss.size();
  const auto choose = [&](const char* name) {
    for (QAction* action : t.window().findChildren<QAction*>()) {
      if (action->text() == QString::fromUtf8(name)) {
        QSignalSpy changed(t.session.get(), &Session::window_changed);
        action->trigger();
        return QTest::qWaitFor([&] { return changed.count() == 1; });
      }
    }
    return false;
  };
  QVERIFY(choose("日本語"));
  QVERIFY(t.window().isVisible());
  QCOMPARE(t.window().actions()->start->text(), QStringLiteral("開始"));
  QCOMPARE(t.session->document().preset().adapter.rank, 24);
  QVERIFY(t.window().page() == t.window().run_page());
  QCOMPARE(t.session->data().loss.size(), steps);
  QVERIFY(!t.window().run_page()->log()->lines().isEmpty());
  // The new window drives the engine, once.
  t.window().actions()->start->trigger();
  QVERIFY(t.wait_for_end());
  QVERIFY(choose("English"));
  QCOMPARE(t.window().actions()->start->text(), QStringLiteral("Start"));
  QCOMPARE(t.session->settings().language(), QStringLiteral("en"));
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;  // other tests read the sources' texts
  }
}

void WindowTest::help_is_in_the_window() {
  TestSession t{FakeEngine{}};
  t.show();
  const auto pick = [&](const char* text) {
    for (QAction* action : t.window().findChildren<QAction*>()) {
      if (QString(action->text()).remove(QLatin1Char('&')) == QString::fromLatin1(text)) {
        action->trigger();
        return true;
      }
    }
    return false;
  };
  QVERIFY(pick("Guide"));
  auto* help = t.window().findChild<HelpDialog*>();
  QVERIFY(help != nullptr);
  QVERIFY(help->pages()->count() >= 5);
  int images = 0;
  for (int row = 0; row < help->pages()->count(); ++row) {
    help->pages()->setCurrentRow(row);
    QVERIFY2(help->text()->toPlainText().size() > 200,
             qPrintable(help->pages()->item(row)->text()));
    images += shown_images(*help->text());
    // It is for users: names of tests and sources are elsewhere.
    static const QRegularExpression source(
        QStringLiteral("\\b(?!(?:diffusion|llama)\\.cpp)\\w+\\.(cpp|h|py)\\b"));
    const QRegularExpressionMatch named = source.match(help->text()->toPlainText());
    QVERIFY2(!named.hasMatch(), qPrintable(named.captured()));
  }
  QVERIFY2(images >= 3, qPrintable(QString::number(images)));
  // The guide's pages lead to each other.
  help->pages()->setCurrentRow(0);
  QVERIFY(help->text()->toPlainText().startsWith(QStringLiteral("Your first LoRA")));
  emit help->text()->anchorClicked(QUrl(QStringLiteral("own-images.md")));
  QVERIFY(help->text()->toPlainText().startsWith(QStringLiteral("Your own images")));
  help->reject();
  QVERIFY(pick("About Mantissa"));
  QVERIFY(t.window().findChild<AboutDialog*>() != nullptr);
  QApplication::clipboard()->clear();
  t.session->document().edit("adapter.rank", 24);
  QVERIFY(pick("Copy diagnostics"));
  QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("adapter.rank = 24")));
}

void WindowTest::nothing_is_cut_in_the_smallest_window() {
  TestSession t{FakeEngine{}};
  t.show();
  QTest::qWait(50);
  t.window().resize(t.window().minimumSize());
  for (Page* page : t.window().pages()) {
    t.window().show_page(page);
    QTest::qWait(30);
    for (const QAbstractButton* button : page->findChildren<QAbstractButton*>()) {
      // Inside a scroll area everything can be reached.
      bool scrolls = false;
      for (const QWidget* up = button; up != nullptr; up = up->parentWidget()) {
        scrolls = scrolls || qobject_cast<const QAbstractScrollArea*>(up) != nullptr;
      }
      if (!button->isVisible() || button->text().isEmpty() || scrolls) {
        continue;
      }
      QVERIFY2(button->width() >= button->minimumSizeHint().width() - 1,
               qPrintable(QStringLiteral("%1 is cut: %2 of %3 pixels")
                              .arg(button->text())
                              .arg(button->width())
                              .arg(button->minimumSizeHint().width())));
      const QRect place(button->mapTo(page, QPoint()), button->size());
      QVERIFY2(page->rect().adjusted(-1, -1, 1, 1).contains(place),
               qPrintable(button->text() + QStringLiteral(" lies outside its page")));
    }
  }
}

void WindowTest::the_step_has_room_before_the_memory() {
  TestSession t{FakeEngine{}};
  t.show();
  RunBar* bar = t.window().run_bar();
  bar->set_state(RunState::training, {});
  bar->set_memory(7'500'000'000, 12'000'000'000);
  const QString text = QStringLiteral("1240 / 3000 · epoch 12 · 3.1 it/s · ETA 9:27");
  bar->set_details(text);
  auto* details = bar->findChild<ElideLabel*>();
  for (const int width : {1900, 1280, 1100, 1000, 900}) {
    t.window().resize(width, 700);
    QTest::qWait(30);
    bar->set_details(text);
    QTest::qWait(30);
    bool memory = false;
    for (const QLabel* label : bar->findChildren<QLabel*>()) {
      memory = memory || (label->isVisible() && label->text().startsWith(QLatin1String("Memory")));
    }
    QVERIFY2(!memory || details->width() >= details->sizeHint().width(),
             qPrintable(QString::number(width)));
    QVERIFY(memory || width < 1900);
  }
}

void WindowTest::built_in_presets_are_once_in_the_menu() {
  TestSession t{FakeEngine{}};
  int entries = 0;
  const QMenu* file = t.window().menuBar()->actions().front()->menu();
  for (const QAction* action : file->actions()) {
    const QString text = QString(action->text()).remove(QLatin1Char('&'));
    entries += text.contains(QStringLiteral("uilt-in"), Qt::CaseInsensitive) ? 1 : 0;
  }
  QCOMPARE(entries, 1);
}

}  // namespace mantissa::gui
