#include "tests/gui/FrameTest.h"

#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QTranslator>
#include <QtTest>

#include "gui/app/PageRail.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/widgets/FocusKeeper.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/HistoryStudio.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {
namespace {

QString path_of(const QWidget* widget) {
  QString path =
      QStringLiteral(" (%1)").arg(widget != nullptr ? widget->accessibleName() : QString());
  for (const QWidget* w = widget; w != nullptr; w = w->parentWidget()) {
    path = QLatin1Char('/') + QString::fromLatin1(w->metaObject()->className()) + path;
  }
  return path;
}

/// The widget as drawn, with the frame that its parent may draw around it.
QImage drawn(QWidget* window, const QWidget* widget) {
  const QRect place(widget->mapTo(window, QPoint()), widget->size());
  QCoreApplication::processEvents();
  return window->grab(place.adjusted(-3, -3, 3, 3)).toImage();
}

/// A run, its samples and layers, so that pages have something to step through.
std::unique_ptr<HistoryStudio> full_studio() {
  auto t = std::make_unique<HistoryStudio>();
  RunStore store(t->database);
  store.create_run(t->row(QStringLiteral("r1"), QStringLiteral("finished"), recipe("a", 8)));
  HistoryStudio::add_steps(store, "r1", 1, 12, 0.1);
  const QString image = make_test_image(t->folder.path(), 1);
  store.add_sample("r1", {10, 0, "a red disc", image.toStdString()});
  store.flush();
  return t;
}

const Language& language(const char* code) {
  return *find_language(QString::fromLatin1(code));
}

}  // namespace

/// Other tests read the sources' texts.
void FrameTest::cleanup() {
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

void FrameTest::messages_do_not_move_the_page_data() {
  QTest::addColumn<QSize>("size");
  QTest::newRow("smallest") << QSize(900, 600);
  QTest::newRow("large") << QSize(1600, 1000);
}

void FrameTest::messages_do_not_move_the_page() {
  QFETCH(QSize, size);
  TestSession t{FakeEngine{}};
  t.show();
  t.window().resize(size);
  QTest::qWait(30);
  MessageBar* bar = t.window().messages();
  const QString text =
      QStringLiteral("can't write %1")
          .arg(QString(400, QLatin1Char('a'))
                   .replace(QStringLiteral("aaaaaaaa"), QStringLiteral("aaaaaaa ")));
  for (Page* page : t.window().pages()) {
    t.window().show_page(page);
    QTest::qWait(30);
    const QPoint at = page->mapTo(&t.window(), QPoint());
    const QSize before = page->size();
    t.window().show_error(text);
    QTest::qWait(30);
    QVERIFY(bar->isVisible());
    QCOMPARE(page->mapTo(&t.window(), QPoint()), at);
    QCOMPARE(page->size(), before);
    // All of it is in sight, over the page.
    const QRect place(bar->mapTo(&t.window(), QPoint()), bar->size());
    QVERIFY(QRect(at, before).contains(place));
    const auto* words = bar->findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
    for (const QLabel* label : bar->findChildren<QLabel*>()) {
      words = label->text().isEmpty() ? words : label;
    }
    QVERIFY(words->height() >= words->heightForWidth(words->width()));
    QWidget* top = t.window().childAt(place.center());
    QVERIFY(top == bar || bar->isAncestorOf(top));
    bar->hide();
  }
  // It follows the window.
  t.window().show_info(QStringLiteral("ready"));
  const int height = bar->height();
  t.window().resize(size + QSize(60, 60));
  QTest::qWait(30);
  QCOMPARE(bar->width(), t.window().page()->width());
  QCOMPARE(bar->height(), height);
  QCOMPARE(
      bar->geometry().bottom(),
      t.window().page()->mapTo(bar->parentWidget(), t.window().page()->rect().bottomLeft()).y());
}

// Errors and questions stay.
void FrameTest::notices_go_with_their_page() {
  TestSession t{FakeEngine{}};
  t.show();
  MessageBar* bar = t.window().messages();
  const auto& pages = t.window().pages();
  const auto stays = [&] {
    t.window().show_page(pages[t.window().page() == pages[0] ? 1 : 0]);
    return bar->isVisible();
  };
  bar->show_info(QStringLiteral("The run uses the changed settings after this step."));
  QVERIFY(bar->isVisible());
  QVERIFY(!stays());
  bar->offer_here(QStringLiteral("Finished."), {{QStringLiteral("Show"), [] {}}});
  QVERIFY(!stays());
  bar->offer(QStringLiteral("Deleted."), {{QStringLiteral("Undo"), [] {}}});
  QVERIFY(stays());
  bar->show_error(QStringLiteral("can't write a file"));
  QVERIFY(stays());
}

void FrameTest::a_notice_waits_for_its_reader() {
  TestSession t{FakeEngine{}};
  t.show();
  MessageBar* bar = t.window().messages();
  bool in_use = false;
  bar->set_in_sight([&in_use] { return in_use; });
  bar->show_info(QStringLiteral("The run uses the changed settings after this step."));
  auto* timer = bar->findChild<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
  QVERIFY(timer != nullptr && timer->isActive());
  timer->start(20);
  QTest::qWait(100);
  QVERIFY2(bar->isVisible(), "nobody has read it");
  in_use = true;
  QTRY_VERIFY(!bar->isVisible());
}

void FrameTest::a_message_leaves_the_last_rows_free() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    for (int i = 0; i < 60; ++i) {
      const QString id = QStringLiteral("r%1").arg(i);
      store.create_run(t.row(id, QStringLiteral("finished"), recipe("a", 8)));
    }
    store.flush();
  }
  t.show_history(60);
  t.page()->compare()->hide();
  QTest::qWait(30);
  QTableView* table = t.page()->table();
  const auto bottom = [&](const QWidget* w) {
    return w->mapTo(&t.window(), w->rect().bottomLeft()).y();
  };
  const int before = bottom(table);
  t.window().show_error(QStringLiteral("can't write the report"));
  QTest::qWait(30);
  const int bar = t.window().messages()->mapTo(&t.window(), QPoint()).y();
  QVERIFY(bottom(table) < bar);
  table->scrollToBottom();
  const QRect last = table->visualRect(table->model()->index(59, 0));
  QVERIFY(table->viewport()->mapTo(&t.window(), last.bottomLeft()).y() < bar);
  t.window().messages()->hide();
  QTest::qWait(30);
  QCOMPARE(bottom(table), before);
}

void FrameTest::the_window_fits_a_small_screen() {
  const auto t = full_studio();
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  QTest::qWait(50);
  QString pages;
  for (Page* page : t->window().pages()) {
    pages += QStringLiteral("%1 %2 x %3\n")
                 .arg(QString::fromLatin1(page->metaObject()->className()))
                 .arg(page->minimumSizeHint().width())
                 .arg(page->minimumSizeHint().height());
  }
  const QSize least = t->window().minimumSize().expandedTo(t->window().minimumSizeHint());
  QVERIFY2(
      least.height() <= 600,
      qPrintable(QStringLiteral("%1 x %2\n%3").arg(least.width()).arg(least.height()).arg(pages)));
  QVERIFY2(least.width() <= 900, qPrintable(pages));
}

void FrameTest::a_message_covers_nothing_in_a_small_window() {
  const auto t = full_studio();
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  t->window().resize(900, 600);
  t->window().show_error(
      QStringLiteral("The report can't be written to this folder. ").repeated(6));
  for (Page* page : t->window().pages()) {
    t->window().show_page(page);
    QTest::qWait(30);
    const int free = page->contentsMargins().bottom();
    QVERIFY2(free >= t->window().messages()->height(),
             qPrintable(QStringLiteral("%1: %2 px of %3")
                            .arg(QString::fromLatin1(page->metaObject()->className()))
                            .arg(free)
                            .arg(t->window().messages()->height())));
  }
}

void FrameTest::the_form_never_scrolls_sideways_data() {
  QTest::addColumn<QString>("code");
  for (const char* code : {"en", "zh_CN", "ja"}) {
    QTest::newRow(code) << QString::fromLatin1(code);
  }
}

void FrameTest::the_form_never_scrolls_sideways() {
  QFETCH(QString, code);
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), code));
  TestSession t{FakeEngine{}};
  t.session->theme().apply(*qobject_cast<QApplication*>(qApp), ThemeMode::light);
  t.show();
  t.window().resize(900, 600);
  t.window().show_page(t.window().setup_page());
  SchemaForm* form = t.window().setup_page()->form();
  form->set_show_advanced(true);
  QTest::qWait(50);
  const FieldRow* widest = nullptr;
  for (const FieldRow* row : form->rows()) {
    if (row->isVisible() &&
        (widest == nullptr || row->minimumSizeHint().width() > widest->minimumSizeHint().width())) {
      widest = row;
    }
  }
  QVERIFY(widest != nullptr);
  QTRY_VERIFY2(form->horizontalScrollBar()->maximum() == 0,
               qPrintable(QStringLiteral("%1 needs %2 of %3")
                              .arg(to_qstring(widest->setting().key))
                              .arg(widest->minimumSizeHint().width())
                              .arg(form->viewport()->width())));
}

void FrameTest::the_focus_jumps_to_no_other_button() {
  FakeEngine fake = endless_engine();
  TestSession t{fake};
  t.show();
  t.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&t.window()));
  RunBar* bar = t.window().run_bar();
  QPushButton* start = bar->button(t.window().actions()->start);
  QTRY_VERIFY(start->isEnabled());
  start->setFocus(Qt::TabFocusReason);
  QTest::keyClick(start, Qt::Key_Space);
  QVERIFY(t.wait_for(RunState::training));
  QTest::qWait(50);
  const auto focused = [&] { return t.window().focusWidget(); };
  QCOMPARE(focused(), static_cast<QWidget*>(bar));  // not Undo, the next button
  QPushButton* stop = bar->button(t.window().actions()->stop);
  stop->setFocus(Qt::TabFocusReason);
  QTest::keyClick(stop, Qt::Key_Space);
  QVERIFY(t.wait_for_end());
  QTest::qWait(50);
  QCOMPARE(focused(), static_cast<QWidget*>(bar));
}

/// Hidden or disabled, by itself or with what is around it, in front and behind other windows.
void FrameTest::the_focus_of_what_goes_stays_near() {
  QWidget window;
  const FocusKeeper keeper(&window);
  auto* outer = new QWidget(&window);
  auto* inner = new QWidget(outer);
  auto* first = new QPushButton(inner);
  auto* second = new QPushButton(outer);
  auto* other = new QPushButton(&window);
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  first->setFocus();
  first->setEnabled(false);
  QCOMPARE(window.focusWidget(), inner);
  first->setEnabled(true);
  first->setFocus();
  inner->hide();
  QCOMPARE(window.focusWidget(), outer);
  second->setFocus();
  second->hide();
  QCOMPARE(window.focusWidget(), outer);
  // What is given the focus on purpose keeps it.
  second->show();
  second->setFocus();
  second->hide();
  other->setFocus();
  QCOMPARE(window.focusWidget(), static_cast<QWidget*>(other));
  second->show();
  second->setFocus();
  QWidget front;
  front.show();
  front.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&front));
  second->setEnabled(false);
  QTRY_COMPARE(window.focusWidget(), outer);
}

void FrameTest::every_tab_stop_shows_its_focus_data() {
  QTest::addColumn<bool>("dark");
  QTest::newRow("light") << false;
  QTest::newRow("dark") << true;
}

void FrameTest::every_tab_stop_shows_its_focus() {
  QFETCH(bool, dark);
  QApplication::setCursorFlashTime(0);
  const auto t = full_studio();
  t->session->theme().apply(*qobject_cast<QApplication*>(qApp),
                            dark ? ThemeMode::dark : ThemeMode::light);
  t->show();
  t->session->open_run(QStringLiteral("r1"));
  MainWindow& window = t->window();
  window.messages()->hide();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  QStringList unseen;
  for (Page* page : window.pages()) {
    window.show_page(page);
    QTest::qWait(100);
    QVERIFY(QTest::qWaitFor([&] { return !window.is_loading(); }, 60000));
    window.centralWidget()->setFocus();
    QSet<const QWidget*> walked;
    const QWidget* before = nullptr;
    for (;;) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QWidget* focused = QApplication::focusWidget();
      QVERIFY2(focused != nullptr && focused != before, qPrintable(path_of(before)));
      if (walked.contains(focused)) {
        break;
      }
      before = focused;
      walked.insert(focused);
      const QImage with = drawn(&window, focused);
      focused->clearFocus();
      const QImage without = drawn(&window, focused);
      focused->setFocus(Qt::TabFocusReason);
      if (with == without) {
        unseen << path_of(focused);
      }
    }
    // All the way: through the page, to the rail and the run bar.
    QVERIFY(walked.contains(window.run_bar()->button(window.actions()->start)));
    QVERIFY(walked.contains(window.findChild<PageRail*>()->findChild<QToolButton*>()));
    QVERIFY(std::any_of(walked.begin(), walked.end(),
                        [&](const QWidget* w) { return page->isAncestorOf(w); }));
  }
  unseen.removeDuplicates();
  QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char('\n'))));
}

void FrameTest::a_language_without_a_font_has_a_hint() {
  const auto all = [](QFontDatabase::WritingSystem) { return true; };
  const auto latin = [](QFontDatabase::WritingSystem s) { return s == QFontDatabase::Latin; };
  for (const Language& language : languages()) {
    QVERIFY(font_hint(language, all).isEmpty());
  }
  QVERIFY(font_hint(language("en"), latin).isEmpty());
  const QString chinese = font_hint(language("zh_CN"), latin);
  QVERIFY(chinese.contains(QStringLiteral("Simplified Chinese")));
  QVERIFY(chinese.contains(QStringLiteral("fonts-noto-cjk")));
  QVERIFY(chinese.contains(QStringLiteral("字体")));
  const QString japanese = font_hint(language("ja"), latin);
  QVERIFY(japanese.contains(QStringLiteral("Japanese")));
  QVERIFY(japanese.contains(QStringLiteral("フォント")));
  QVERIFY(find_language(QStringLiteral("zh_TW")) == nullptr);
  QVERIFY(find_language(QStringLiteral("fr")) == nullptr);
}

void FrameTest::the_menu_hints_before_it_changes_the_language() {
  TestSession t{FakeEngine{}};
  t.no_font = {QFontDatabase::SimplifiedChinese, QFontDatabase::Japanese};
  t.start_again();
  t.show();
  QAction* chinese = nullptr;
  for (QAction* action : t.window().findChildren<QAction*>()) {
    if (action->text().startsWith(QStringLiteral("Simplified Chinese"))) {
      chinese = action;
    }
  }
  QVERIFY(chinese != nullptr);
  QVERIFY(chinese->text().contains(QStringLiteral("no font")));
  QSignalSpy changed(t.session.get(), &Session::window_changed);
  chinese->trigger();
  QVERIFY(!chinese->isChecked());
  QVERIFY(!changed.wait(100));
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("Noto Sans CJK")));
  QCOMPARE(t.window().messages()->offers().size(), std::size_t{1});
  QTest::mouseClick(t.window().messages()->offers().front(), Qt::LeftButton);
  QVERIFY(changed.wait());
  QCOMPARE(t.session->settings().language(), QStringLiteral("zh_CN"));
  t.session->change_language(QStringLiteral("en"));
  QVERIFY(changed.wait());
}

void FrameTest::a_start_in_such_a_language_hints() {
  TestSession t{FakeEngine{}};
  t.session->settings().set_language(QStringLiteral("ja"));
  t.no_font = {QFontDatabase::Japanese};
  t.start_again();
  t.show();
  QVERIFY(QTest::qWaitFor(
      [&] { return t.window().messages()->text().contains(QStringLiteral("Japanese")); }));
}

}  // namespace mantissa::gui
