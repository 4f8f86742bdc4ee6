// DataTest: the tools of the Data page. The preview of caption edits, buckets left out.
#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QTextEdit>
#include <QToolButton>
#include <QTranslator>
#include <algorithm>
#include <numeric>

#include "engine/core/paths.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/CaptionDiff.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/CaptionPreview.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/DuplicateFinder.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/dataset/NoticesView.h"
#include "gui/dataset/SkippedView.h"
#include "gui/dataset/Tags.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/preset/SchemaForm.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

/// Back to the texts as they are in the sources, without plurals.
void forget_language() {
  for (QTranslator* words : qApp->findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    delete words;
  }
}

/// Labels and buttons without room for their text.
QString clipped(const QWidget* page) {
  QString list;
  const auto add = [&](const QWidget* widget, const QString& text) {
    list += QStringLiteral("\n%1: %2 x %3").arg(text).arg(widget->width()).arg(widget->height());
  };
  for (const auto* label : page->findChildren<QLabel*>()) {
    const int wanted =
        label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
    if (label->isVisible() && !label->text().isEmpty() &&
        (label->height() < wanted ||
         (!label->wordWrap() && label->width() < label->sizeHint().width()))) {
      add(label, label->text());
    }
  }
  for (const auto* button : page->findChildren<QAbstractButton*>()) {
    if (button->isVisible() && !button->text().isEmpty() &&
        (button->width() < button->minimumSizeHint().width() ||
         button->height() < button->minimumSizeHint().height())) {
      add(button, button->text());
    }
  }
  return list;
}

}  // namespace

void DataTest::caption_differences_by_word() {
  using P = DiffPart;
  const auto diff = [](const char* a, const char* b) {
    return caption_diff(QString::fromUtf8(a), QString::fromUtf8(b));
  };
  const auto part = [](P::Kind kind, const char* text) { return P{kind, QString::fromUtf8(text)}; };
  QCOMPARE(diff("a, b", "a, b"), std::vector<P>{part(P::same, "a, b")});
  QCOMPARE(diff("", "zorb"), std::vector<P>{part(P::added, "zorb")});
  QCOMPARE(diff("red, disc", "red, disc, zorb"),
           (std::vector<P>{part(P::same, "red, disc"), part(P::added, ", zorb")}));
  QCOMPARE(diff("a hat, disc", "a cap, disc"),
           (std::vector<P>{part(P::same, "a "), part(P::removed, "hat"), part(P::added, "cap"),
                           part(P::same, ", disc")}));
  // Several places; the parts without the added ones are the old text, and so on.
  const QString before = QStringLiteral("one, two, three, four"),
                after = QStringLiteral("two, 2, three, five, 東京");
  QString old_text, new_text;
  int shared = 0;
  for (const P& p : caption_diff(before, after)) {
    old_text += p.kind != P::added ? p.text : QString();
    new_text += p.kind != P::removed ? p.text : QString();
    shared += p.kind == P::same ? static_cast<int>(p.text.size()) : 0;
  }
  QCOMPARE(old_text, before);
  QCOMPARE(new_text, after);
  QVERIFY(shared >= static_cast<int>(qstrlen("two, three, ")));
  const QString huge = QStringLiteral("word ").repeated(5000);
  QElapsedTimer clock;
  clock.start();
  QVERIFY(caption_diff(QStringLiteral("x ") + huge, huge + QStringLiteral("y")).size() <= 4);
  QVERIFY(clock.elapsed() < 2000);
}

void DataTest::tools_leave_hidden_captions_alone() {
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), QStringLiteral("en")));
  const auto words = qScopeGuard(forget_language);
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  CaptionEditor* editor = page->editor();
  const auto captions = [&] { return page->book()->captions(); };
  const QStringList before = captions();
  t.select({});
  page->search()->setText(QStringLiteral("wide"));
  QCOMPARE(page->list()->model()->rowCount(), 1);
  editor->tool()->setCurrentIndex(CaptionEditor::add_last);
  editor->word()->setText(QStringLiteral("zorb"));
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Add tag to 1 image"));
  QVERIFY(editor->apply_button()->toolTip().contains(QStringLiteral("shown")));
  QTest::mouseClick(editor->apply_button(), Qt::LeftButton);
  QStringList expected = before;
  expected[1] = QStringLiteral("disc, wide, sky, zorb");
  QCOMPARE(captions(), expected);
  page->save();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  page->book()->undo_stack()->undo();
  QCOMPARE(captions(), before);
  // Every tool that writes.
  for (const auto tool : {CaptionEditor::add_last, CaptionEditor::add_first, CaptionEditor::remove,
                          CaptionEditor::replace, CaptionEditor::prefix, CaptionEditor::suffix,
                          CaptionEditor::sort}) {
    editor->apply(tool,
                  tool == CaptionEditor::remove ? QStringLiteral("disc") : QStringLiteral("sky"),
                  QStringLiteral("x"));
    QCOMPARE(captions()[0], before[0]);
    QCOMPARE(captions()[2], before[2]);
  }
  while (page->book()->undo_stack()->canUndo()) {
    page->book()->undo_stack()->undo();
  }
  // A filter by a tag.
  page->search()->clear();
  emit editor->tag_chosen(QStringLiteral("red"));
  t.select({});
  editor->word()->setText(QStringLiteral("zorb"));
  editor->tool()->setCurrentIndex(CaptionEditor::add_last);
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Add tag to 1 image"));
  QCOMPARE(editor->apply(CaptionEditor::add_last, QStringLiteral("zorb")), 1);
  QCOMPARE(captions()[0], QStringLiteral("red, disc, zorb"));
}

void DataTest::the_count_of_bare_images_follows_captions() {
  DataStudio t;
  t.fill();
  t.show_data();
  const auto told = [&] {
    for (const ElideLabel* label : t.page()->findChildren<ElideLabel*>()) {
      if (label->text().contains(QStringLiteral("without a caption"))) {
        return label->text();
      }
    }
    return QString();
  };
  QCOMPARE(told(), QStringLiteral("1 without a caption"));
  t.page()->book()->type(2, QStringLiteral("tall"));
  QCOMPARE(told(), QString());
  t.page()->book()->undo_stack()->undo();
  QCOMPARE(told(), QStringLiteral("1 without a caption"));
}

void DataTest::tags_in_use_follow_captions() {
  DataStudio t;
  t.fill();
  t.show_data();
  const auto tags = [&] {
    const QTableWidget* table = t.page()->editor()->tags();
    QStringList list;
    for (int row = 0; row < table->rowCount(); ++row) {
      list << table->item(row, 0)->text() + QLatin1Char(' ') + table->item(row, 1)->text();
    }
    return list;
  };
  const QStringList before{"disc 2", "red 1", "sky 1", "wide 1"};
  QCOMPARE(tags(), before);
  t.page()->book()->type(0, QStringLiteral("blue, sky"));
  QCOMPARE(tags(), (QStringList{"sky 2", "blue 1", "disc 1", "wide 1"}));
  t.page()->book()->undo_stack()->undo();
  QCOMPARE(tags(), before);
}

void DataTest::an_edit_of_captions_is_shown_first() {
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), QStringLiteral("en")));
  const auto words = qScopeGuard(forget_language);
  DataStudio t;
  t.fill();
  t.show_data();
  t.select({});
  DataPage* page = t.page();
  CaptionEditor* editor = page->editor();
  CaptionPreview* preview = editor->preview();
  const auto text = [&] { return preview->text()->toPlainText(); };
  QVERIFY(!preview->isVisible());
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Add tag to 3 images"));
  QVERIFY(!editor->apply_button()->isEnabled());
  // Live, while the tag is typed.
  editor->tool()->setCurrentIndex(CaptionEditor::remove);
  editor->word()->setFocus();
  QTest::keyClicks(editor->word(), QStringLiteral("dis"));
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Remove tag from 0 images"));
  QVERIFY(!editor->apply_button()->isEnabled());
  QVERIFY(preview->isVisible() && !preview->text()->isVisible());
  QTest::keyClicks(editor->word(), QStringLiteral("c"));
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Remove tag from 2 images"));
  QCOMPARE(preview->header()->text(), QStringLiteral("2 of 3 captions change"));
  QVERIFY2(text().contains(QStringLiteral("red, disc  →  red")), qPrintable(text()));
  QVERIFY2(text().contains(QStringLiteral("disc, wide, sky  →  wide, sky")), qPrintable(text()));
  // What goes is struck out: colour alone wouldn't tell.
  QTextCursor at = preview->text()->document()->find(QStringLiteral("disc"));
  QVERIFY(at.charFormat().fontStrikeOut());
  editor->tool()->setCurrentIndex(CaptionEditor::replace);
  editor->with()->setText(QStringLiteral("circle"));
  at = preview->text()->document()->find(QStringLiteral("circle"));
  QVERIFY(at.charFormat().fontUnderline() && !at.charFormat().fontStrikeOut());
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));  // nothing is done yet
  QTest::mouseClick(editor->apply_button(), Qt::LeftButton);
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, circle"));
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Replace tag in 0 images"));
  page->book()->undo_stack()->undo();
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Replace tag in 2 images"));
  // Folded by keyboard.
  preview->header()->setFocus();
  QTest::keyClick(preview->header(), Qt::Key_Space);
  QVERIFY(!preview->text()->isVisible() && preview->header()->isVisible());
  QTest::keyClick(preview->header(), Qt::Key_Space);
  QVERIFY(preview->text()->isVisible());
  // Only what is selected, and hostile text is shown as text.
  page->book()->change({{0, QStringLiteral("<b>disc</b>\u202e")}}, QStringLiteral("x"));
  t.select({0});
  editor->tool()->setCurrentIndex(CaptionEditor::suffix);
  editor->word()->setText(QStringLiteral("!"));
  QCOMPARE(editor->apply_button()->text(), QStringLiteral("Add text to 1 image"));
  QCOMPARE(text(), QStringLiteral("<b>disc</b>\\u202e  →  <b>disc</b>\\u202e!"));
}

void DataTest::many_captions_are_counted_in_slices() {
  CaptionBook book;
  std::vector<ImageItem> items(100'000);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].path = "/nowhere/" + std::to_string(i) + ".png";
    items[i].caption = i % 4 == 0 ? "red, disc" : "blue, disc";
    items[i].caption_source = "jsonl";
  }
  book.open(CaptionBook::read_all(items));
  Theme theme;
  CaptionPreview preview(&book, &theme);
  QVector<int> all(book.size());
  std::iota(all.begin(), all.end(), 0);
  int tried = 0;
  const auto edit = [&](const QString& caption) {
    ++tried;
    return remove_tag(caption, QStringLiteral("red"));
  };
  preview.show_edit(all, edit);
  QCOMPARE(tried, CaptionPreview::kAtOnce);
  QVERIFY(!preview.is_counted());
  QVERIFY(preview.header()->text().contains(QStringLiteral("so far")));
  QCOMPARE(preview.text()->toPlainText().count(QStringLiteral("→")),
           qsizetype{CaptionPreview::kShown});
  // Another key before the pause: the first count goes no further.
  preview.show_edit(all, edit);
  QCOMPARE(tried, 2 * CaptionPreview::kAtOnce);
  QVERIFY(QTest::qWaitFor([&] { return preview.is_counted(); }, 20000));
  QCOMPARE(preview.changing(), 25'000);
  QCOMPARE(tried, CaptionPreview::kAtOnce + 100'000);
  preview.show_edit(all, edit);
  preview.show_edit({}, {});
  QVERIFY(preview.is_counted() && preview.total() == 0);
}

void DataTest::sizes_are_left_out_in_the_table() {
  DataStudio t;
  t.fill();
  t.session->document().edit("data.resolution", 512);
  t.show_data();
  DataPage* page = t.page();
  BucketView* view = page->bucket_view();
  PresetDocument& document = t.session->document();
  page->show_view(DataPage::buckets);
  const int rows = view->rowCount();
  QCOMPARE(rows, 3);  // three images of three shapes
  const auto row_of = [&](const QString& size) {
    for (int row = 0; row < view->rowCount(); ++row) {
      if (view->item(row, BucketView::size_column)->text() == size) {
        return row;
      }
    }
    return -1;
  };
  const Bucket wide = page->model()->placement(1).bucket;
  const QString size = QStringLiteral("%1 × %2").arg(wide.width).arg(wide.height);
  QVERIFY(view->item(row_of(size), BucketView::cut_away)->text().endsWith(QLatin1Char('%')));
  // By keyboard, from any cell of the row.
  view->setFocus();
  view->setCurrentCell(row_of(size), BucketView::batches);
  QTest::keyClick(view, Qt::Key_Space);
  QTRY_COMPARE(document.preset().data.skip_buckets, std::vector<std::string>{bucket_text(wide)});
  QVERIFY(page->model()->placement(1).bucket != wide);
  const int row = row_of(size);
  QVERIFY(row >= 0);
  QCOMPARE(view->currentRow(), row);
  QCOMPARE(view->item(row, BucketView::size_column)->checkState(), Qt::Unchecked);
  QCOMPARE(view->item(row, BucketView::images)->text(), QStringLiteral("0"));
  QVERIFY(!page->is_scanning());
  // It is the preset's: undone and redone with it, and shown in the form.
  document.undo_stack()->undo();
  QVERIFY(document.preset().data.skip_buckets.empty());
  QCOMPARE(page->model()->placement(1).bucket, wide);
  QCOMPARE(view->item(row_of(size), BucketView::size_column)->checkState(), Qt::Checked);
  document.undo_stack()->redo();
  QVERIFY(t.window().setup_page()->form()->row(QStringLiteral("data.skip_buckets")) != nullptr);
  view->setCurrentCell(row_of(size), 0);
  QTest::keyClick(view, Qt::Key_Space);
  QTRY_VERIFY(document.preset().data.skip_buckets.empty());
  // By mouse, on the box.
  const QRect cell = view->visualItemRect(view->item(row_of(size), BucketView::size_column));
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                    QPoint(cell.left() + 10, cell.center().y()));
  QTRY_COMPARE(document.preset().data.skip_buckets.size(), std::size_t{1});
  // The last size stays.
  document.edit("data.buckets", false);
  QCOMPARE(view->item(0, BucketView::size_column)->text(), QStringLiteral("512 × 512"));
  view->setCurrentCell(0, 0);
  QTest::keyClick(view, Qt::Key_Space);
  QTRY_VERIFY(t.window().messages()->text().contains(QStringLiteral("every size")));
  QCOMPARE(view->item(0, BucketView::size_column)->checkState(), Qt::Checked);
  QCOMPARE(document.preset().data.skip_buckets.size(), std::size_t{1});
  // A word that is no size never gets into the preset.
  QVERIFY(document.edit("data.skip_buckets", {"wide"}).contains(QStringLiteral("WIDTHxHEIGHT")));
}

void DataTest::the_page_fits_a_small_window_data() {
  QTest::addColumn<QString>("language");
  for (const char* language : {"en", "zh_CN", "ja"}) {
    QTest::newRow(language) << QString::fromLatin1(language);
  }
}

void DataTest::the_page_fits_a_small_window() {
  QFETCH(QString, language);
  QVERIFY(load_language(*qobject_cast<QApplication*>(qApp), language));
  const auto english = qScopeGuard(forget_language);
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  const auto check = [&](const QString& what) {
    for (const QSize& size : {QSize(900, 600), QSize(1400, 1000)}) {
      t.window().resize(size);
      QVERIFY(QTest::qWaitFor([&] { return !page->is_loading(); }, 20000));
      QTest::qWait(50);
      if (!keep.isEmpty()) {
        QVERIFY(t.window().grab().save(
            QStringLiteral("%1/data-%2-%3-%4.png").arg(keep, what, language).arg(size.width())));
      }
      QVERIFY2(t.window().size() == size, qPrintable(what));
      QVERIFY2(QTest::qWaitFor([&] { return clipped(page).isEmpty(); }, 5000),
               qPrintable(what + clipped(page)));
    }
  };
  page->find_duplicates();
  QVERIFY(QTest::qWaitFor([&] { return !page->finder()->is_busy(); }, 20000));
  t.select({3});
  check(QStringLiteral("duplicates"));
  page->editor()->tool()->setCurrentIndex(CaptionEditor::replace);
  page->editor()->word()->setText(QStringLiteral("small"));
  page->editor()->with()->setText(QStringLiteral("half the size"));
  QVERIFY(page->editor()->preview()->text()->isVisible());
  check(QStringLiteral("preview"));
  t.session->document().edit("data.skip_buckets", {"128x128"});
  page->show_view(DataPage::buckets);
  check(QStringLiteral("buckets"));
}

void DataTest::notices_name_what_is_not_as_meant() {
  DataStudio t;
  t.fill();
  write_bytes(t.in("a.txt"), QByteArray("zorb ").repeated(90));
  draw_scene(t.in("wide.png"), 1200, 40);
  write_bytes(t.in("wide.txt"), "a wide one");
  t.window().setup_page()->job()->set_paths(QStringLiteral("demo"), {t.images});
  t.show();
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  t.window().show_page(t.page());
  QVERIFY(scanned.wait(20000));
  const auto rows = [&] {
    QStringList all;
    const QTableWidget* table = t.page()->notices_view()->table();
    for (int i = 0; i < table->rowCount(); ++i) {
      all << QFileInfo(table->item(i, 0)->text()).fileName() + QLatin1Char(' ') +
                 table->item(i, 2)->text();
    }
    all.sort();
    return all;
  };
  t.page()->show_view(DataPage::notices);
  QVERIFY2(t.page()->summary().contains(QStringLiteral("Notices 5")),
           qPrintable(t.page()->summary() + QLatin1Char('\n') + rows().join(QLatin1Char('\n'))));
  const QStringList found = rows();
  QCOMPARE(found.size(), 5);
  QVERIFY2(found[0].startsWith(QStringLiteral("a.png ")) &&
               found[0].endsWith(QStringLiteral("of which Text encoder 1 reads 75")),
           qPrintable(found[0]));
  QCOMPARE(found[1], QStringLiteral("b.png 50% of 200x100 pixels is cut away"));
  QCOMPARE(found[2], QStringLiteral("c.png "));
  bool told = false;  // in one sentence, of the one image
  const QTableWidget* notices = t.page()->notices_view()->table();
  for (int i = 0; i < notices->rowCount(); ++i) {
    told = told ||
           notices->item(i, 1)->text() == QStringLiteral("No caption: trained with \"images\"");
  }
  QVERIFY(told);
  QCOMPARE(found[3], QStringLiteral("c.png 50% of 64x128 pixels is cut away"));
  QCOMPARE(found[4], QStringLiteral("wide.png 87% of 1200x40 pixels is cut away"));
  // What was mended meanwhile is no longer said.
  t.page()->book()->change({{0, QStringLiteral("zorb")}, {2, QStringLiteral("zorb")}},
                           QStringLiteral("mend"));
  t.page()->show_view(DataPage::notices);
  QCOMPARE(rows().size(), 3);
  QVERIFY(t.page()->summary().contains(QStringLiteral("Notices 3")));
}

void DataTest::captions_go_back_to_their_own_file() {
  DataStudio t;
  t.fill();
  QVERIFY(QFile::rename(t.in("a.txt"), t.in("a.caption")));
  t.show_data();
  QCOMPARE(t.page()->book()->caption(0), QStringLiteral("red, disc"));
  t.page()->book()->change({{0, QStringLiteral("blue")}}, QStringLiteral("edit"));
  t.page()->save();
  QCOMPARE(read_bytes(t.in("a.caption")), QByteArray("blue\n"));
  QVERIFY(!QFile::exists(t.in("a.txt")));
}

void DataTest::many_images_are_filtered_in_slices() {
  constexpr int kCount = DatasetFilter::kSlice + 100;
  DataStudio s;
  for (int i = 0; i < kCount; ++i) {
    QImage image(64, 64, QImage::Format_RGB32);
    image.fill(QColor(i % 256, i / 256, 90));
    const QString name = s.images + QStringLiteral("/image%1").arg(i, 4, 10, QLatin1Char('0'));
    QVERIFY(image.save(name + QLatin1String(".png")));
    write_bytes(name + QLatin1String(".txt"), i % 7 == 0 ? "one tone" : "a thing");
  }
  s.session->document().edit("data.resolution", 64);
  s.show_data();
  DataPage* page = s.page();
  auto* filter = page->findChild<DatasetFilter*>();
  QVERIFY(filter != nullptr);
  QCOMPARE(filter->rowCount(), kCount);
  const auto expected = [page](const QString& word) {
    QVector<int> items;
    for (int i = 0; i < page->model()->rowCount(); ++i) {
      if (page->model()->name(i).contains(word) || page->model()->caption(i).contains(word)) {
        items << i;
      }
    }
    return items;
  };
  s.select({7, 8, 14});
  page->search()->setText(QStringLiteral("thing"));
  QVERIFY(filter->is_filtering());
  QCOMPARE(filter->rowCount(), kCount);             // the former result until the new one is whole
  page->search()->setText(QStringLiteral("tone"));  // cancels the one before
  QVERIFY(filter->is_filtering());
  QTRY_VERIFY(!filter->is_filtering());
  QCOMPARE(filter->items(), expected(QStringLiteral("tone")));
  QVector<int> selected;
  for (const QModelIndex& index : page->list()->selectionModel()->selectedIndexes()) {
    selected << filter->mapToSource(index).row();
  }
  std::sort(selected.begin(), selected.end());
  QCOMPARE(selected, QVector<int>({7, 14}));
  // A rescan keeps the search.
  QSignalSpy scanned(page, &DataPage::scanned);
  page->scan();
  QVERIFY(scanned.wait(20000));
  QTRY_VERIFY(!filter->is_filtering());
  QCOMPARE(filter->items(), expected(QStringLiteral("tone")));
  QVERIFY(page->list()->currentIndex().isValid());
  page->search()->clear();
  QTRY_COMPARE(filter->rowCount(), kCount);
  QCOMPARE(filter->mapToSource(page->list()->currentIndex()).row(), filter->items().value(0));
}

/// No table with a header over nothing.
void DataTest::a_list_of_nothing_says_so() {
  TestSession t{FakeEngine{}};  // with the demo's images
  t.show();
  DataPage* page = t.window().data_page();
  t.window().show_page(page);
  QVERIFY(QTest::qWaitFor([&] { return !t.window().is_loading(); }, 20000));
  for (const DataPage::View view : {DataPage::left_out, DataPage::notices}) {
    page->show_view(view);
    QTest::qWait(20);
    for (const QTableWidget* table : page->findChildren<QTableWidget*>()) {
      QVERIFY2(!table->isVisible() || table->rowCount() > 0, qPrintable(table->accessibleName()));
    }
  }
}

void DataTest::names_of_skipped_files_are_whole() {
  DataStudio t;
  t.fill();
  const QByteArray name = QByteArray("a-name-of-an-image-that-nobody-could-open-").repeated(2);
  write_bytes(t.images + QLatin1Char('/') + QString::fromLatin1(name) + QLatin1String(".png"),
              "no image");
  t.window().resize(1600, 1000);
  t.show_data();
  t.page()->show_view(DataPage::left_out);
  QTest::qWait(50);
  const QTableWidget* table = t.page()->findChild<SkippedView*>()->table();
  QVERIFY(table->rowCount() >= 4);
  const QFontMetrics metrics(table->font());
  int widest[2] = {};
  for (int row = 0; row < table->rowCount(); ++row) {
    for (int column = 0; column < 2; ++column) {
      widest[column] =
          std::max(widest[column], metrics.horizontalAdvance(table->item(row, column)->text()));
    }
  }
  // There is room for both, or the names have all that the reasons leave.
  const int left = table->viewport()->width() - widest[1] - 40;
  QVERIFY2(
      table->columnWidth(0) >= std::min(widest[0] + 8, std::max(left, table->width() / 2 - 20)),
      qPrintable(QStringLiteral("%1 of %2").arg(table->columnWidth(0)).arg(widest[0])));
  QCOMPARE(table->textElideMode(), Qt::ElideMiddle);
}

void DataTest::captions_are_checked_again() {
  DataStudio t;
  t.fill();
  t.show_data();
  QSignalSpy planned(&t.session->watcher(), &PlanWatcher::planned);
  QTest::qWait(400);  // what was planned for the folder
  planned.clear();
  t.page()->book()->type(2, QStringLiteral("a tall scene"));
  t.page()->save();
  QVERIFY(planned.wait(5000));
}

void DataTest::a_folder_that_cant_be_shown_is_told() {
  DataStudio t;
  t.fill();
  t.show_data();
  QSignalSpy told(t.page(), &Page::problem);
  QVERIFY(QDir(t.images).removeRecursively());
  for (QPushButton* button : t.page()->findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Show in folder")) {
      button->click();
    }
  }
  QCOMPARE(told.size(), 1);
  QVERIFY(told[0][0].toString().contains(QStringLiteral("images")));
}

}  // namespace mantissa::gui
