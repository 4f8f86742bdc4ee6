// DataTest: what is shown by captions, their tokens, and the tools that go over them.
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextEdit>
#include <QUndoStack>

#include "gui/app/SetupPage.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/CaptionPreview.h"
#include "gui/dataset/CaptionTokens.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/Tags.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

/// The entry of the page's menu that begins so.
QAction* entry_of(DataPage* page, const QString& text) {
  emit page->filter_menu()->aboutToShow();
  for (QAction* action : page->filter_menu()->actions()) {
    if (action->text().startsWith(text)) {
      return action;
    }
  }
  return nullptr;
}

}  // namespace

void DataTest::images_without_a_caption_are_shown() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  QAction* bare = entry_of(page, QStringLiteral("Without a caption"));
  QVERIFY(bare != nullptr && bare->text().endsWith(QStringLiteral("(1)")));
  bare->trigger();
  QCOMPARE(page->list()->model()->rowCount(), 1);
  QCOMPARE(page->list()->model()->index(0, 0).data().toString(), QStringLiteral("c.png"));
  // It stays in sight while its caption is typed.
  QTest::keyClicks(page->editor()->text(), QStringLiteral("tall"));
  QCOMPARE(page->book()->caption(2), QStringLiteral("tall"));
  QCOMPARE(page->list()->model()->rowCount(), 1);
  tool_of(page, QStringLiteral("Show all images again"))->click();
  QCOMPARE(page->list()->model()->rowCount(), 3);
  QVERIFY(!entry_of(page, QStringLiteral("Without a caption"))->isEnabled());
}

void DataTest::what_a_tokenizer_cuts_is_marked() {
  DataStudio t;
  t.fill();
  write_bytes(t.in("a.txt"), QByteArray("zorb ").repeated(90).trimmed());
  t.window().setup_page()->job()->set_paths(QStringLiteral("demo"), {t.images});
  t.show();
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  t.window().show_page(t.page());
  QVERIFY(scanned.wait(20000));
  DataPage* page = t.page();
  QVERIFY(QTest::qWaitFor([&] { return !page->tokens()->tokenizers().isEmpty(); }, 20000));
  t.select({0});
  const TokenCounts counts = page->tokens()->of(0);
  QCOMPARE(counts.front().part, QStringLiteral("te1"));
  QCOMPARE(counts.front().most, 75);
  QVERIFY(counts.front().is_cut());
  // The end that isn't read: the beginning alone is not cut, with a character more it would be.
  const auto marks = page->editor()->text()->extraSelections();
  QCOMPARE(marks.size(), 1);
  const auto start = static_cast<qsizetype>(marks[0].cursor.selectionStart());
  QCOMPARE(start, counts.front().read);
  QVERIFY(start > 0 && start < page->book()->caption(0).size());
  const QString kept = page->book()->caption(0).left(start);
  QVERIFY2(page->editor()->token_text().contains(QStringLiteral("Text encoder 1")),
           qPrintable(page->editor()->token_text()));
  QAction* cut = entry_of(page, QStringLiteral("Text encoder 1: cut after 75"));
  QVERIFY(cut != nullptr && cut->text().endsWith(QStringLiteral("(1)")));
  cut->trigger();
  QCOMPARE(page->list()->model()->rowCount(), 1);
  page->editor()->text()->setPlainText(kept);
  QVERIFY(QTest::qWaitFor([&] { return !page->tokens()->of(0).front().is_cut(); }, 20000));
  QVERIFY(page->tokens()->of(0).front().tokens > 70);
  QVERIFY(page->editor()->text()->extraSelections().isEmpty());
  // A folder's prefix takes its tokens too.
  page->book()->undo_stack()->undo();
  t.session->document().edit(
      "data.folders", nlohmann::json::parse(R"([{"folder":"images","prefix":"a photo of"}])"));
  QVERIFY(QTest::qWaitFor(
      [&] {
        return page->tokens()->of(0).front().read < start && page->tokens()->of(0).front().is_cut();
      },
      20000));
}

void DataTest::captions_change_by_a_pattern() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.select({});
  DataPage* page = t.page();
  CaptionEditor* editor = page->editor();
  editor->tool()->setCurrentIndex(CaptionEditor::pattern);
  QTest::keyClicks(editor->word(), QStringLiteral("(\\w+)"));
  QTest::qWait(50);
  const int height = editor->text()->height();
  QTest::keyClicks(editor->word(), QStringLiteral(", (disc"));
  QTest::qWait(50);
  QCOMPARE(editor->text()->height(), height);
  for (const QLineEdit* field : {editor->word(), editor->with()}) {
    QCOMPARE(field->visibleRegion().boundingRect().height(), field->height());
  }
  QVERIFY(editor->problem_text().contains(QStringLiteral("Not a valid regular expression")));
  QVERIFY(!editor->apply_button()->isEnabled());
  QTest::keyClicks(editor->word(), QStringLiteral(")"));
  QVERIFY(editor->problem_text().isEmpty());
  QTest::keyClicks(editor->with(), QStringLiteral("\\9"));
  QVERIFY2(editor->problem_text().contains(QStringLiteral("\\9 names no group")),
           qPrintable(editor->problem_text()));
  QVERIFY(!editor->apply_button()->isEnabled());
  editor->with()->clear();
  QTest::keyClicks(editor->with(), QStringLiteral("\\2, \\1"));
  QVERIFY2(editor->preview()->text()->toPlainText().contains(QStringLiteral("→")),
           qPrintable(editor->preview()->text()->toPlainText()));
  QCOMPARE(editor->preview()->changing(), 1);
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));
  QTest::mouseClick(editor->apply_button(), Qt::LeftButton);
  QCOMPARE(page->book()->caption(0), QStringLiteral("disc, red"));
  page->book()->undo_stack()->undo();
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));
  // Hidden captions stay.
  t.select({1});
  QCOMPARE(editor->apply(CaptionEditor::pattern, QStringLiteral("disc"), QStringLiteral("x")), 1);
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));
}

void DataTest::images_with_one_caption_file_have_one_caption() {
  DataStudio t;
  t.fill();
  draw_scene(t.in("a.jpg"), 128, 128, 40);
  t.show_data();
  CaptionBook* book = t.page()->book();
  QCOMPARE(book->caption(0), book->caption(1));
  QStringList problems;
  QObject::connect(book, &CaptionBook::problem, book, [&](const QString& p) { problems << p; });
  book->change({{0, QStringLiteral("first")}}, QStringLiteral("edit"));
  book->save();
  QCOMPARE(book->caption(1), QStringLiteral("first"));
  book->change({{1, QStringLiteral("second")}}, QStringLiteral("edit"));
  book->save();
  QCOMPARE(book->caption(0), QStringLiteral("second"));
  QCOMPARE(book->write_now({{0, QStringLiteral("tags")}, {1, QStringLiteral("tags")}},
                           QStringLiteral("tagger")),
           2);
  book->undo_stack()->undo();
  QCOMPARE(book->caption(0), QStringLiteral("second"));
  QCOMPARE(book->caption(1), QStringLiteral("second"));
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("second\n"));
  QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QLatin1Char('\n'))));
  QVERIFY(book->is_saved());
}

void DataTest::an_undone_caption_has_the_bytes_it_had() {
  DataStudio t;
  t.fill();
  const QByteArray before[] = {"red, disc", QByteArray("\xff\xfe"
                                                       "w\0i\0d\0e\0",
                                                       10)};
  write_bytes(t.in("a.txt"), before[0]);
  write_bytes(t.in("b.txt"), before[1]);
  t.show_data();
  CaptionBook* book = t.page()->book();
  QCOMPARE(book->caption(1), QStringLiteral("wide"));
  QCOMPARE(book->change({{0, QStringLiteral("x")}, {1, QStringLiteral("y")}}, QString()), 2);
  book->save();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("x\n"));
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("y\n"));
  book->undo_stack()->undo();
  book->save();
  QCOMPARE(read_bytes(t.in("a.txt")), before[0]);
  QCOMPARE(read_bytes(t.in("b.txt")), before[1]);
}

void DataTest::tags_are_sorted_and_repeated_ones_removed() {
  QCOMPARE(unique_tags(QStringLiteral("b, a,B , c, a")), QStringLiteral("b, a, c"));
  QCOMPARE(unique_tags(QStringLiteral("b,a")), QStringLiteral("b,a"));
  QCOMPARE(sort_tags_by_name(QStringLiteral("b, C, a")), QStringLiteral("a, b, C"));
  DataStudio t;
  t.fill();
  write_bytes(t.in("a.txt"), "red, disc, Red");
  t.show_data();
  t.select({});
  CaptionEditor* editor = t.page()->editor();
  editor->tool()->setCurrentIndex(CaptionEditor::unique);
  QVERIFY(!editor->word()->isVisible());
  QCOMPARE(editor->preview()->changing(), 1);
  QTest::mouseClick(editor->apply_button(), Qt::LeftButton);
  QCOMPARE(t.page()->book()->caption(0), QStringLiteral("red, disc"));
  editor->tool()->setCurrentIndex(CaptionEditor::by_name);
  QTest::mouseClick(editor->apply_button(), Qt::LeftButton);
  QCOMPARE(t.page()->book()->caption(0), QStringLiteral("disc, red"));
  QCOMPARE(t.page()->book()->caption(1), QStringLiteral("disc, sky, wide"));
}

void DataTest::images_are_shown_larger() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  const auto cell = [&] { return page->list()->visualRect(page->list()->model()->index(0, 0)); };
  t.select({1});
  const int before = cell().width();
  QAction* large = entry_of(page, QStringLiteral("Large images"));
  QVERIFY(large != nullptr && !large->isChecked());
  large->trigger();
  QVERIFY(QTest::qWaitFor([&] { return cell().width() > 2 * before; }));
  QCOMPARE(page->list()->selectionModel()->selectedIndexes().size(), 1);
  QVERIFY(QTest::qWaitFor(
      [&] { return !page->model()->index(0).data(Qt::DecorationRole).value<QImage>().isNull(); }));
  QVERIFY(entry_of(page, QStringLiteral("Large images"))->isChecked());
  entry_of(page, QStringLiteral("Small images"))->trigger();
  QVERIFY(QTest::qWaitFor([&] { return cell().width() == before; }));
}

}  // namespace mantissa::gui
