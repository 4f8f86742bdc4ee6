#include "tests/gui/DataTest.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/CaptionEditor.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/FolderTable.h"
#include "gui/dataset/SkippedView.h"
#include "gui/dataset/Tags.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/DataStudio.h"

namespace mantissa::gui {

void DataTest::tags() {
  QCOMPARE(split_tags(QStringLiteral(" a, b c ,,d,")), (QStringList{"a", "b c", "d"}));
  QCOMPARE(add_tag(QStringLiteral("a, b"), QStringLiteral("c"), false), QStringLiteral("a, b, c"));
  QCOMPARE(add_tag(QStringLiteral("a, b"), QStringLiteral("c"), true), QStringLiteral("c, a, b"));
  QCOMPARE(add_tag(QStringLiteral("a, B"), QStringLiteral("b"), true), QStringLiteral("a, B"));
  QCOMPARE(add_tag(QString(), QStringLiteral("b"), true), QStringLiteral("b"));
  QCOMPARE(remove_tag(QStringLiteral("a, b, a b"), QStringLiteral("A")), QStringLiteral("b, a b"));
  QCOMPARE(remove_tag(QStringLiteral("a  ,b"), QStringLiteral("x")), QStringLiteral("a  ,b"));
  QCOMPARE(replace_tag(QStringLiteral("a, b, c"), QStringLiteral("b"), QStringLiteral("x, c")),
           QStringLiteral("a, x, c"));
  QCOMPARE(replace_tag(QStringLiteral("ab, b"), QStringLiteral("a"), QStringLiteral("x")),
           QStringLiteral("ab, b"));
  TagCounts all = count_tags({QStringLiteral("a, b, a"), QStringLiteral("B, c"), QString()});
  QCOMPARE(all.size(), qsizetype{3});
  const auto counts = all.top(10);
  QCOMPARE(counts.size(), std::size_t{3});
  QCOMPARE(counts[0].first, QStringLiteral("b"));
  QCOMPARE(counts[0].second, 2);
  QCOMPARE(counts[1].first, QStringLiteral("a"));  // twice in one caption counts once
  QCOMPARE(counts[1].second, 1);
  QCOMPARE(all.top(1).size(), std::size_t{1});
  // As captions come and go.
  all.remove(QStringLiteral("B, c"));
  QCOMPARE(all.size(), qsizetype{2});
  QCOMPARE(all.by_tag().value(QStringLiteral("b")), 1);
  all.add(QStringLiteral("a, d"));
  QCOMPARE(all.top(1).front(), std::pair(QStringLiteral("a"), 2));
  QCOMPARE(
      sort_tags(QStringLiteral("c, a, B"), {{QStringLiteral("b"), 2}, {QStringLiteral("a"), 1}}),
      QStringLiteral("B, a, c"));
}

void DataTest::the_pages_keys_work_wherever_the_focus_is() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.window().activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&t.window()));
  t.window().centralWidget()->setFocus();
  QTest::keyClick(&t.window(), Qt::Key_F, Qt::ControlModifier);
  QTRY_VERIFY(t.page()->search()->hasFocus());
  t.window().centralWidget()->setFocus();
  QTest::keyClick(&t.window(), Qt::Key_E, Qt::ControlModifier);  // a menu has it elsewhere
  QTRY_VERIFY(t.page()->editor()->text()->hasFocus());
  QVERIFY(t.window().page() == t.page());
  t.window().show_page(t.window().run_page());
  QTest::keyClick(&t.window(), Qt::Key_E, Qt::ControlModifier);
  QTRY_VERIFY(t.window().page() == t.window().setup_page());
}

void DataTest::page_shows_images_and_what_is_left_out() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  QCOMPARE(page->model()->rowCount(), 3);
  QVERIFY2(page->summary().contains(QStringLiteral("Skipped 3")), qPrintable(page->summary()));
  QCOMPARE(page->skipped()->table()->rowCount(), 3);
  QString reasons;
  for (int i = 0; i < 3; ++i) {
    reasons += page->skipped()->table()->item(i, 1)->text() + QLatin1Char('\n');
  }
  QVERIFY(reasons.contains(QStringLiteral("Too small")));
  QVERIFY(reasons.contains(QStringLiteral("without an image")));
  int images = 0;
  for (int i = 0; i < page->bucket_view()->rowCount(); ++i) {
    images += page->bucket_view()->item(i, 2)->text().toInt();
  }
  QCOMPARE(images, 3);
  QVERIFY(QTest::qWaitFor(
      [&] { return !page->model()->index(0).data(Qt::DecorationRole).value<QImage>().isNull(); }));
  // Search looks into captions.
  page->search()->setText(QStringLiteral("wide"));
  QCOMPARE(page->list()->model()->rowCount(), 1);
  page->search()->clear();
  QCOMPARE(page->editor()->tags()->item(0, 0)->text(), QStringLiteral("disc"));
}

void DataTest::tools_change_the_chosen() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  t.select({0, 1});
  QCOMPARE(page->editor()->apply(CaptionEditor::add_first, QStringLiteral("zorb")), 2);
  QCOMPARE(page->book()->caption(0), QStringLiteral("zorb, red, disc"));
  QCOMPARE(page->book()->caption(1), QStringLiteral("zorb, disc, wide, sky"));
  QVERIFY(!page->book()->caption(2).contains(QStringLiteral("zorb")));
  page->save();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("zorb, red, disc\n"));
  // The window's own undo, by keyboard.
  page->list()->setFocus();
  QTest::keyClick(page->list(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));
  QCOMPARE(page->book()->caption(1), QStringLiteral("disc, wide, sky"));
  page->save();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("red, disc"));
  // Also from within the text.
  t.select({0});
  page->editor()->text()->setFocus();
  QTest::keyClicks(page->editor()->text(), QStringLiteral("x"));
  QVERIFY(page->book()->caption(0).contains(QLatin1Char('x')));
  QTest::keyClick(page->editor()->text(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(page->book()->caption(0), QStringLiteral("red, disc"));
  QCOMPARE(page->editor()->text()->toPlainText(), QStringLiteral("red, disc"));
  // The draft's own steps are another page's.
  QCOMPARE(t.session->document().preset().data.resolution, 128);
}

void DataTest::demo_captions_are_read_only() {
  if (!find_resource("demo/images")) {
    QSKIP("the demo's images are not here");
  }
  DataStudio t;
  t.images = QStringLiteral("demo");
  t.show_data();
  QVERIFY(t.page()->model()->rowCount() > 3);
  QVERIFY(!t.page()->book()->is_writable(0));
  t.select({0});
  QVERIFY(t.page()->editor()->text()->isReadOnly());
  QCOMPARE(t.page()->editor()->apply(CaptionEditor::suffix, QStringLiteral("x")), 0);
}

void DataTest::rescans_when_folders_change() {
  DataStudio t;
  t.fill();
  t.show_data();
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  const QString other = t.folder.filePath(QStringLiteral("other"));
  QDir().mkpath(other);
  draw_scene(other + QStringLiteral("/one.png"), 90, 90);
  t.window().setup_page()->job()->set_paths(QString(), {other});
  QVERIFY(scanned.wait(20000));
  QCOMPARE(t.page()->model()->rowCount(), 1);
  t.window().setup_page()->job()->set_paths(QString(), {t.folder.filePath(QStringLiteral("none"))});
  QVERIFY(scanned.wait(20000));
  QVERIFY(!t.page()->list()->isVisible());  // the reason is shown instead
}

void DataTest::counts_what_is_held_out() {
  DataStudio t;
  t.fill();
  t.show_data();
  const auto rows = [&] { return t.page()->model()->rowCount(); };
  const auto held = [&] { return t.page()->model()->check().validation.size(); };
  const int all = rows();
  QCOMPARE(held(), std::size_t{0});
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  t.session->document().edit("data.validation_share", 0.2);
  QVERIFY(scanned.wait(20000));
  QVERIFY(held() > 0);
  QCOMPARE(rows() + static_cast<int>(held()), all);
  t.session->document().edit("data.validation_share", 0.0);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(rows(), all);

  const QString other = t.folder.filePath(QStringLiteral("other"));
  QDir().mkpath(other);
  draw_scene(other + QStringLiteral("/one.png"), 90, 90);
  JobPanel* job = t.window().setup_page()->job();
  job->held_out()->set_path(other);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(held(), std::size_t{1});
  QCOMPARE(rows(), all);
  const QString classes = t.folder.filePath(QStringLiteral("classes"));
  QDir().mkpath(classes);
  draw_scene(classes + QStringLiteral("/two.png"), 80, 80, 10);
  job->prior()->set_path(classes);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(rows(), all + 1);
  QCOMPARE(job->job().prior, std::vector<std::filesystem::path>{to_path(classes)});
  QCOMPARE(job->job().validation, std::vector<std::filesystem::path>{to_path(other)});
  job->use_demo();
  QVERIFY(job->job().prior.empty() && job->job().validation.empty());
}

void DataTest::images_come_from_a_bounded_cache() {
  QTemporaryDir dir;
  ImageLoader loader;
  QSignalSpy loaded(&loader, &ImageLoader::loaded);
  const QString one = dir.filePath(QStringLiteral("one.png"));
  draw_scene(one, 300, 200);
  QVERIFY(loader.get(one, 100).isNull());
  QVERIFY(loader.get(one, 100).isNull());  // requested once
  QVERIFY(loaded.wait(10000));
  QCOMPARE(loader.get(one, 100).width(), 100);
  QVERIFY(std::abs(loader.get(one, 100).height() - 67) <= 1);
  QCOMPARE(loaded.count(), 1);
  const QString bad = dir.filePath(QStringLiteral("bad.png"));
  write_bytes(bad, "no");
  loader.get(bad, 100);
  QVERIFY(loaded.wait(10000));
  QVERIFY(loader.is_known(bad, 100) && loader.get(bad, 100).isNull());
  for (int i = 0; i < 3 * ImageLoader::kMaxWaiting; ++i) {
    loader.get(dir.filePath(QStringLiteral("none-%1.png").arg(i)), 100);
  }
  QVERIFY(loader.waiting() <= ImageLoader::kMaxWaiting);
  loader.clear();
  QCOMPARE(loader.waiting(), 0);
}

void DataTest::screenshots() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    const QString name = mode == ThemeMode::dark ? QStringLiteral("dark") : QStringLiteral("light");
    DataStudio t;
    t.fill();
    for (int i = 0; i < 24; ++i) {
      const QString base =
          t.images + QStringLiteral("/portrait-%1").arg(i, 3, 10, QLatin1Char('0'));
      draw_scene(base + QStringLiteral(".png"), 120 + 40 * (i % 4), 160 + 30 * (i % 3), 37 * i);
      write_bytes(base + QStringLiteral(".txt"),
                  i % 5 == 0 ? "" : "zorb, two-ink print, on a hill, coral");
    }
    t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    t.show_data();
    t.select({4});
    QVERIFY(QTest::qWaitFor([&] { return !t.page()->is_loading(); }, 20000));
    QDir().mkpath(keep + QLatin1Char('/') + name);
    const std::pair<DataPage::View, const char*> views[] = {{DataPage::images, "images"},
                                                            {DataPage::buckets, "buckets"},
                                                            {DataPage::left_out, "left-out"}};
    for (const auto& [view, word] : views) {
      t.page()->show_view(view);
      QTest::qWait(100);
      QVERIFY(t.window().grab().save(
          QStringLiteral("%1/%2/data-%3.png").arg(keep, name, QString::fromLatin1(word))));
    }
  }
}

void DataTest::a_folders_name_is_no_caption() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  QCOMPARE(page->book()->caption(2), QString());  // c.png has no .txt
  QCOMPARE(page->book()->stand_in(2), QStringLiteral("images"));
  t.select({2});
  QVERIFY(page->editor()->text()->placeholderText().contains(
      QStringLiteral("trained with the folder's name, “images”")));
  QVERIFY(page->model()
              ->index(2)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("No caption")));
  QCOMPARE(page->editor()->apply(CaptionEditor::add_last, QStringLiteral("zorb")), 1);
  page->save();
  QCOMPARE(read_bytes(t.in("c.txt")), QByteArray("zorb\n"));
  page->book()->undo_stack()->undo();
  page->save();
  QVERIFY(!QFile::exists(t.in("c.txt")));
}

void DataTest::an_empty_page_offers_folders() {
  TestSession t{FakeEngine{}, false};
  t.show();
  t.window().show_page(t.window().data_page());
  QPushButton *add = nullptr, *demo = nullptr;
  for (QPushButton* button : t.window().data_page()->findChildren<QPushButton*>()) {
    if (button->isVisible() && button->text() == QStringLiteral("Add folder…")) {
      add = button;
    }
    if (button->isVisible() && button->text() == QStringLiteral("Use the demo's images")) {
      demo = button;
    }
  }
  QVERIFY(add != nullptr && demo != nullptr);
  QTest::mouseClick(demo, Qt::LeftButton);
  QCOMPARE(t.window().setup_page()->job()->images()->paths(), QStringList{QStringLiteral("demo")});
}

void DataTest::folders_have_repeats_weights_and_prefixes() {
  DataStudio t;
  t.fill();
  QDir().mkpath(t.in("3_zorb"));
  draw_scene(t.in("3_zorb/z.png"), 128, 128, 300);
  write_bytes(t.in("3_zorb/z.txt"), "a zorb");
  t.show_data();
  PresetDocument& document = t.session->document();
  FolderTable* table = t.page()->folder_table();
  t.page()->show_view(DataPage::folder_rules);
  QVERIFY(table->isVisible());
  QCOMPARE(table->rowCount(), 2);
  const auto cell = [&](int row, int column) { return table->item(row, column)->text(); };
  QCOMPARE(cell(0, FolderTable::folder), QStringLiteral("3_zorb"));
  QCOMPARE(cell(0, FolderTable::images), QStringLiteral("1"));
  QCOMPARE(cell(1, FolderTable::folder), QStringLiteral("images"));
  QCOMPARE(cell(1, FolderTable::images), QStringLiteral("4"));
  QCOMPARE(cell(0, FolderTable::repeats), QStringLiteral("1"));
  const std::int64_t before = t.page()->batches_per_epoch();
  QCOMPARE(before, std::int64_t{4});

  // Typed into the cell, as a user does.
  const auto type = [&](int row, int column, const QString& text) {
    table->setCurrentCell(row, column);
    table->editItem(table->item(row, column));
    auto* line = table->findChild<QLineEdit*>();
    QVERIFY(line != nullptr);
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY(table->findChild<QLineEdit*>() == nullptr);
  };
  type(0, FolderTable::repeats, QStringLiteral("5"));
  type(0, FolderTable::weight, QStringLiteral("0.5"));
  type(0, FolderTable::prefix, QStringLiteral("zrb,"));
  QCOMPARE(document.preset().data.folders, (std::vector<FolderRule>{{"3_zorb", 5, 0.5, "zrb,"}}));
  QCOMPARE(t.page()->batches_per_epoch(), std::int64_t{8});
  type(0, FolderTable::resolution, QStringLiteral("64"));
  QCOMPARE(document.preset().data.folders,
           (std::vector<FolderRule>{{"3_zorb", 5, 0.5, "zrb,", 64}}));
  type(0, FolderTable::resolution, QString());
  QCOMPARE(document.preset().data.folders, (std::vector<FolderRule>{{"3_zorb", 5, 0.5, "zrb,"}}));
  // The prefix is for training: captions are shown and saved without it.
  t.page()->show_view(DataPage::images);
  t.select({0});
  QCOMPARE(t.page()->editor()->text()->toPlainText(), QStringLiteral("a zorb"));
  t.page()->scan();
  QVERIFY(QTest::qWaitFor([&] { return !t.page()->is_scanning(); }, 20000));
  QCOMPARE(t.page()->editor()->text()->toPlainText(), QStringLiteral("a zorb"));
  t.page()->save();
  QCOMPARE(read_bytes(t.in("3_zorb/z.txt")), QByteArray("a zorb"));
  // A refused value leaves the preset as it is; defaults leave no entry.
  t.page()->show_view(DataPage::folder_rules);
  type(0, FolderTable::weight, QStringLiteral("none"));
  QVERIFY(!t.window().messages()->text().isEmpty());
  QCOMPARE(cell(0, FolderTable::weight), QStringLiteral("0.5"));
  type(0, FolderTable::repeats, QStringLiteral("0"));
  type(0, FolderTable::weight, QStringLiteral("1"));
  type(0, FolderTable::prefix, QString());
  QVERIFY(document.preset().data.folders.empty());
  document.edit("data.folder_repeats", true);
  QVERIFY(QTest::qWaitFor([&] { return cell(0, FolderTable::repeats) == QStringLiteral("3"); }));
}

void DataTest::epochs_are_counted_in_the_form() {
  DataStudio t;
  t.fill();
  t.window().setup_page()->job()->set_paths(QString(), {t.images});
  t.show();
  SchemaForm* form = t.window().setup_page()->form();
  FieldRow* epochs = form->row(QStringLiteral("training.epochs"));
  FieldRow* steps = form->row(QStringLiteral("training.steps"));
  const auto note = [](const FieldRow* row) {
    QStringList texts;
    for (const QLabel* label : row->findChildren<QLabel*>()) {
      texts << (label->isVisibleTo(row) ? label->text() : QString());
    }
    return texts.join(QLatin1Char('|'));
  };
  QVERIFY(!note(epochs).contains(QStringLiteral("steps with")));
  auto* line = epochs->editor()->findChild<QLineEdit*>();
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral("7"));
  QCOMPARE(t.session->document().preset().training.epochs, std::int64_t{7});
  QVERIFY(note(epochs).contains(QStringLiteral("once the images are scanned")));
  // Scanned although the Data page wasn't opened: three images.
  QVERIFY(QTest::qWaitFor(
      [&] { return note(epochs).contains(QStringLiteral("21 steps with these images")); }, 20000));
  QVERIFY(!steps->isVisible());
  t.session->document().edit("data.repeats", 2);
  QVERIFY(note(epochs).contains(QStringLiteral("42 steps")));
  t.session->document().edit("training.epochs", 0);
  QVERIFY(steps->isVisible());
  QVERIFY(note(steps).contains(QStringLiteral("167 epochs")));
}

}  // namespace mantissa::gui
