// DataTest: images that are alike, and how they leave the data set.
#include <QAbstractItemModel>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QToolButton>

#include "engine/core/paths.h"
#include "engine/store/store.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/DuplicateFinder.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

/// m.png, a smaller JPEG of it, its mirror image, and others; the files that tests move away.
struct DuplicatesStudio : DataStudio {
  DuplicatesStudio() {
    const QImage zorb(QStringLiteral(MANTISSA_SOURCE_DIR "/resources/demo/images/zorb_07.png"));
    const QImage other(QStringLiteral(MANTISSA_SOURCE_DIR "/resources/demo/images/zorb_09.png"));
    zorb.save(in("m.png"));
    zorb.scaled(zorb.size() / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .save(in("a small one.jpg"), nullptr, 90);
    zorb.mirrored(true, false).save(in("z turned.png"));
    other.save(in("k.png"));
    QFile::copy(in("k.png"), in("l.png"));
    draw_scene(in("single.png"), 128, 128, 20);
    write_bytes(in("a small one.txt"), "small");
    for (const char* captioned : {"k.txt", "l.txt", "m.txt"}) {
      write_bytes(in(captioned), "the same drawing");
    }
    write_bytes(in("z turned.txt"), "turned");
    QImage(zorb.size(), QImage::Format_RGB32).save(in("z turned-masklabel.png"));
    session->document().edit("data.resolution", 128);
    page()->trash()->set_mover([this](const QString& file) {
      moved << QFileInfo(file).fileName();
      const QString place = folder.filePath(moved.back());
      return !refuses && QFile::rename(file, place) ? std::optional(place) : std::nullopt;
    });
  }
  void find() {
    QSignalSpy found(page()->finder(), &DuplicateFinder::found);
    tool_of(page(), QStringLiteral("Find duplicates"))->click();
    QVERIFY(found.wait(20000));
  }
  QStringList names() {
    QStringList shown;
    const QAbstractItemModel* model = page()->list()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
      shown << model->index(row, 0).data().toString();
    }
    return shown;
  }
  QStringList moved;
  bool refuses = false;
};

}  // namespace

void DataTest::duplicates_are_shown_in_groups() {
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  const auto label = [&](const QString& text) {
    for (const auto* one : page->findChildren<QLabel*>()) {
      if (one->isVisible() && one->text().contains(text)) {
        return true;
      }
    }
    for (const auto* one : page->findChildren<ElideLabel*>()) {
      if (one->isVisible() && one->text().contains(text)) {
        return true;
      }
    }
    return false;
  };
  // Copies of the same file are known without comparing.
  QVERIFY(label(QStringLiteral("1 exact cop")));
  QToolButton* find = tool_of(page, QStringLiteral("Find duplicates"));
  QVERIFY(find->toolTip().contains(QStringLiteral("l.png (same as k.png)")));
  t.find();
  QVERIFY(find->isEnabled());
  QCOMPARE(t.names(),
           (QStringList{QStringLiteral("k.png"), QStringLiteral("l.png"), QStringLiteral("m.png"),
                        QStringLiteral("a small one.jpg"), QStringLiteral("z turned.png")}));
  QVERIFY(label(QStringLiteral("5 of 6")));
  const QAbstractItemModel* shown = page->list()->model();
  const auto note = [&](int row) {
    return shown->index(row, 0).data(DatasetModel::kGroupRole).toString();
  };
  QCOMPARE(note(0), QStringLiteral("1: the one to keep\n128 × 128"));
  QCOMPARE(note(1), QStringLiteral("1: same file\n128 × 128"));
  QCOMPARE(note(3), QStringLiteral("2: similar\n64 × 64"));
  QCOMPARE(note(4), QStringLiteral("2: mirrored\n128 × 128"));
  QVERIFY(shown->index(3, 0)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral(
                  "Similar to m.png; that has 128 × 128 pixels, this one 64 × 64.")));
  QVERIFY(shown->index(4, 0)
              .data(Qt::AccessibleTextRole)
              .toString()
              .contains(QStringLiteral("A mirrored copy of m.png, of the same size.")));
  t.select({2});
  QVERIFY(label(
      QStringLiteral("The one to keep of a group: the largest, captioned, lossless; 2 image(s) are "
                     "copies of it.")));
  // Back to all, in their order.
  tool_of(page, QStringLiteral("Show all images again"))->click();
  QCOMPARE(t.names().size(), 6);
  QCOMPARE(t.names().first(), QStringLiteral("a small one.jpg"));
}

void DataTest::duplicates_go_to_the_trash_with_what_belongs_to_them() {
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  t.find();
  QSignalSpy scanned(page, &DataPage::scanned);
  t.trash_answer = false;
  t.select({4});
  page->list()->setFocus();
  QTest::keyClick(page->list(), Qt::Key_Delete);
  QVERIFY(t.trash_asked.contains(QStringLiteral("z turned.png")));
  QVERIFY(t.moved.isEmpty());
  t.trash_answer = true;
  t.refuses = true;
  QTest::keyClick(page->list(), Qt::Key_Delete);
  QCOMPARE(t.moved, QStringList{QStringLiteral("z turned.png")});  // nor its caption then
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("left where it is")));
  QCOMPARE(page->model()->rowCount(), 6);
  t.refuses = false;
  t.moved.clear();
  QTest::keyClick(page->list(), Qt::Key_Delete);
  QCOMPARE(t.moved, (QStringList{QStringLiteral("z turned.png"), QStringLiteral("z turned.txt"),
                                 QStringLiteral("z turned-masklabel.png")}));
  // The others stay in view, without another scan of the folders.
  QCOMPARE(t.names(), (QStringList{QStringLiteral("k.png"), QStringLiteral("l.png"),
                                   QStringLiteral("m.png"), QStringLiteral("a small one.jpg")}));
  QCOMPARE(page->model()->check().data.report.images, std::int64_t{5});
  QCOMPARE(page->batches_per_epoch(), std::int64_t{5});
  QCOMPARE(page->book()->size(), 5);
  // A caption stays if another image has the same name.
  QFile::copy(t.in("k.png"), t.in("m.bmp"));
  t.moved.clear();
  t.select({1});
  QTest::keyClick(page->list(), Qt::Key_Delete);
  QCOMPARE(t.moved, (QStringList{QStringLiteral("l.png"), QStringLiteral("l.txt")}));
  QCOMPARE(t.names().size(), 2);
  page->scan();
  QVERIFY(scanned.wait(20000));
  QCOMPARE(page->model()->rowCount(), 5);
  t.moved.clear();
  QVERIFY(page->model()->at(3)->name == "m.png");
  write_bytes(t.in("m.txt"), "both of them");
  t.select({3});
  page->ask_to_trash();
  QCOMPARE(t.moved, QStringList{QStringLiteral("m.png")});
  QVERIFY(QFile::exists(t.in("m.txt")));
}

void DataTest::what_went_to_the_trash_comes_back() {
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  t.select({5});
  page->ask_to_trash();
  QCOMPARE(t.moved, (QStringList{QStringLiteral("z turned.png"), QStringLiteral("z turned.txt"),
                                 QStringLiteral("z turned-masklabel.png")}));
  QCOMPARE(page->model()->rowCount(), 5);
  const auto& offers = t.window().messages()->offers();
  QCOMPARE(offers.size(), std::size_t{1});
  QSignalSpy scanned(page, &DataPage::scanned);
  offers.front()->click();
  QVERIFY(scanned.wait(20000));
  QCOMPARE(page->model()->rowCount(), 6);
  QCOMPARE(read_bytes(t.in("z turned.txt")), QByteArray("turned"));
  QVERIFY(QFile::exists(t.in("z turned-masklabel.png")));
}

void DataTest::captions_edited_since_the_scan_outlive_the_trash() {
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  CaptionBook* book = page->book();
  const auto item_of = [&](const char* name) {
    int item = 0;
    while (page->model()->at(item)->name != name) {
      ++item;
    }
    return item;
  };
  book->change({{item_of("k.png"), QStringLiteral("edited")},
                {item_of("single.png"), QStringLiteral("new")}},
               QStringLiteral("edit"));
  book->save();
  t.select({item_of("z turned.png")});
  page->ask_to_trash();
  QCOMPARE(page->model()->rowCount(), 5);
  QCOMPARE(book->caption(item_of("k.png")), QStringLiteral("edited"));
  QCOMPARE(book->caption(item_of("single.png")), QStringLiteral("new"));
  book->change({{item_of("single.png"), QStringLiteral("newer")}}, QStringLiteral("edit"));
  book->save();
  QVERIFY(book->is_saved());
  QCOMPARE(read_bytes(t.in("single.txt")), QByteArray("newer\n"));
}

namespace {

/// Losses of eight images of which the third fits the fourth's caption better.
ImageLossRecord losses_of_images(std::int64_t step, double factor) {
  ImageLossRecord record{step, 8, 1};
  for (int i = 0; i < 8; ++i) {
    for (int level = 0; level < 2; ++level) {
      const double loss = factor * (1 + 0.1 * i) / (1 + level);
      record.each.push_back({i, level, std::string(1, static_cast<char>('a' + i)) + ".png", loss,
                             loss * (i == 2 ? 0.9 : 1.1), "d.png"});
    }
  }
  return record;
}

}  // namespace

void DataTest::images_that_stood_out_in_a_run_are_shown() {
  DataStudio t;
  for (int i = 0; i < 8; ++i) {
    draw_scene(t.in((std::string(1, static_cast<char>('a' + i)) + ".png").c_str()), 128, 128, i);
  }
  t.session->document().edit("data.resolution", 128);
  {
    RunStore store(to_path(t.folder.filePath(QStringLiteral("runs.db"))));
    RunRow row;
    row.id = "the-run";
    row.state = "finished";
    row.preset_json = "{}";
    store.create_run(row);
    store.add_image_losses("the-run", losses_of_images(0, 1));
    store.add_image_losses("the-run", losses_of_images(100, 0.5));
    store.flush();
  }
  t.show_data();
  DataPage* page = t.page();
  QToolButton* button = nullptr;
  QVERIFY(QTest::qWaitFor([&] {
    button = tool_of(page, QStringLiteral("1 stood out"));
    return button != nullptr && button->isVisible();
  }));
  QVERIFY(button->toolTip().contains(QStringLiteral("the-run")));
  button->click();
  const QAbstractItemModel* shown = page->list()->model();
  QCOMPARE(shown->rowCount(), 1);
  QCOMPARE(shown->index(0, 0).data().toString(), QStringLiteral("c.png"));
  QCOMPARE(shown->index(0, 0).data(DatasetModel::kRunRole).toString(),
           QStringLiteral("Caption may not fit"));
  QVERIFY(shown->index(0, 0)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("c.png may fit the caption of d.png better than its own")));
  tool_of(page, QStringLiteral("Show all images again"))->click();
  QCOMPARE(shown->rowCount(), 8);
  // Another data set has none.
  for (const char* name : {"a.png", "b.png", "c.png", "d.png", "e.png"}) {
    QFile::remove(t.in(name));
  }
  QSignalSpy scanned(page, &DataPage::scanned);
  page->scan();
  QVERIFY(scanned.wait(20000));
  QTest::qWait(200);
  QVERIFY(!button->isVisible());
}

void DataTest::a_comparison_can_be_cancelled() {
  DuplicatesStudio t;
  t.show_data();
  DataPage* page = t.page();
  QSignalSpy found(page->finder(), &DuplicateFinder::found);
  page->find_duplicates();
  QVERIFY(page->finder()->is_busy() && page->is_loading());
  QPushButton* cancel = nullptr;
  for (auto* button : page->findChildren<QPushButton*>()) {
    if (button->accessibleName() == QStringLiteral("Cancel the search for duplicates")) {
      cancel = button;
    }
  }
  QVERIFY(cancel != nullptr && cancel->isVisible());
  cancel->click();
  QVERIFY(!page->finder()->is_busy() && !cancel->isVisible());
  QTest::qWait(300);
  QCOMPARE(found.count(), 0);
  QCOMPARE(t.names().size(), 6);
  // Without any the list stays, and it is said.
  for (const char* name : {"m.png", "l.png"}) {
    QFile::remove(t.in(name));
  }
  QFile::remove(t.in("a small one.jpg"));
  QSignalSpy scanned(page, &DataPage::scanned);
  page->scan();
  QVERIFY(scanned.wait(20000));
  t.find();
  QCOMPARE(t.names().size(), 3);
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("No duplicates among 3 image(s)")));
}

void DataTest::demo_images_stay_where_they_are() {
  if (!find_resource("demo/images")) {
    QSKIP("the demo's images are not here");
  }
  DuplicatesStudio t;
  t.images = QStringLiteral("demo");
  t.show_data();
  t.select({0});
  t.page()->ask_to_trash();
  QVERIFY(t.trash_asked.isEmpty() && t.moved.isEmpty());
  QVERIFY(!t.window().messages()->text().isEmpty());
}

}  // namespace mantissa::gui
