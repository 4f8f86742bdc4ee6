// DataTest: captions in their files. When they are written, and what is kept of them.
#include <QDir>
#include <QFile>
#include <QPointer>
#include <QTimer>
#include <QtTest>
#include <utility>

#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

ImageItem item_of(const QString& path, const char* caption, const char* source) {
  ImageItem item;
  item.path = to_path(path);
  item.name = "a.png";
  item.caption = caption;
  item.caption_source = source;
  if (item.caption_source == "txt") {
    item.caption_file = item.path;
    item.caption_file.replace_extension(".txt");
  }
  return item;
}

}  // namespace

void DataTest::captions_save_themselves() {
  QTemporaryDir dir;
  const QString text = dir.filePath(QStringLiteral("a.txt"));
  write_bytes(text, "old");
  CaptionBook book;
  QSignalSpy saved(&book, &CaptionBook::saved);
  book.open(CaptionBook::read_all({item_of(dir.filePath(QStringLiteral("a.png")), "old", "txt")}));
  saved.clear();
  book.type(0, QStringLiteral("naïve ✓"));
  QCOMPARE(read_bytes(text), QByteArray("old"));  // after a delay, not at every key
  QVERIFY(saved.wait(5000));
  QCOMPARE(read_bytes(text), QByteArray("naïve ✓\n"));
  QVERIFY(book.is_saved());
  // No half-written or temporary file stays.
  QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

/// A tag for thousands of images: each file takes a moment, and the window its input meanwhile.
void DataTest::many_captions_are_saved_beside_other_input() {
  constexpr int kMany = 1000;
  QTemporaryDir dir;
  std::vector<ImageItem> items;
  std::vector<CaptionBook::Change> tags;
  for (int i = 0; i < kMany; ++i) {
    items.push_back(item_of(dir.filePath(QStringLiteral("%1.png").arg(i)), "", "txt"));
    tags.emplace_back(i, QStringLiteral("summer"));
  }
  CaptionBook book;
  QSignalSpy saved(&book, &CaptionBook::saved);
  book.open(CaptionBook::read_all(items));
  saved.clear();
  QCOMPARE(book.change(tags, QStringLiteral("add")), kMany);
  bool seen_between = false, edited = false;
  QTimer input;
  connect(&input, &QTimer::timeout, this, [&] {
    seen_between = seen_between || (book.unsaved() > 0 && book.unsaved() < kMany);
    if (seen_between && !std::exchange(edited, true)) {
      book.type(0, QStringLiteral("winter"));  // it is written already, and again after the rest
    }
  });
  input.start(0);
  QTRY_VERIFY_WITH_TIMEOUT(book.is_saved() && edited, 60000);
  QVERIFY(seen_between);
  QCOMPARE(read_bytes(dir.filePath(QStringLiteral("0.txt"))), QByteArray("winter\n"));
  QCOMPARE(read_bytes(dir.filePath(QStringLiteral("999.txt"))), QByteArray("summer\n"));
}

void DataTest::captions_are_saved_while_one_types_on() {
  QTemporaryDir dir;
  CaptionBook book;
  QSignalSpy saved(&book, &CaptionBook::saved);
  book.open(CaptionBook::read_all({item_of(dir.filePath(QStringLiteral("a.png")), "", "txt")}));
  saved.clear();
  QString typed;
  for (int keys = 0; keys < 400 && saved.isEmpty(); ++keys) {
    book.type(0, typed += QLatin1Char('x'));
    QTest::qWait(50);
  }
  QVERIFY2(!saved.isEmpty(), "a crash would cost everything since the last pause");
  QVERIFY(!read_bytes(dir.filePath(QStringLiteral("a.txt"))).isEmpty());
}

void DataTest::undo_takes_back_files_too() {
  QTemporaryDir dir;
  const QString text = dir.filePath(QStringLiteral("a.txt"));
  CaptionBook book;
  book.open(CaptionBook::read_all(
      {item_of(dir.filePath(QStringLiteral("a.png")), "portraits", "folder")}));
  QCOMPARE(book.change({{0, QStringLiteral("x")}}, QStringLiteral("add")), 1);
  book.save();
  QCOMPARE(read_bytes(text), QByteArray("x\n"));
  book.undo_stack()->undo();
  book.save();
  QVERIFY(!QFile::exists(text));  // the folder's name is the caption again
  book.undo_stack()->redo();
  book.save();
  QCOMPARE(read_bytes(text), QByteArray("x\n"));
}

void DataTest::another_programs_caption_is_kept() {
  QTemporaryDir dir;
  const QString text = dir.filePath(QStringLiteral("a.txt"));
  write_bytes(text, "old");
  CaptionBook book;
  QSignalSpy problem(&book, &CaptionBook::problem);
  book.open(CaptionBook::read_all({item_of(dir.filePath(QStringLiteral("a.png")), "old", "txt")}));
  write_bytes(text, "from elsewhere");
  book.type(0, QStringLiteral("mine"));
  book.save();
  QCOMPARE(problem.count(), 1);
  QVERIFY(problem[0][0].toString().contains(text));
  QCOMPARE(read_bytes(text), QByteArray("from elsewhere"));
}

void DataTest::a_caption_that_cannot_be_written_is_kept() {
  QTemporaryDir dir;
  const QString folder = dir.filePath(QStringLiteral("images")),
                away = dir.filePath(QStringLiteral("away"));
  QDir().mkpath(folder);
  const QString text = folder + QStringLiteral("/a.txt"), image = folder + QStringLiteral("/a.png");
  write_bytes(text, "old");
  write_bytes(image, "an image");
  CaptionBook book;
  QSignalSpy problem(&book, &CaptionBook::problem), saved(&book, &CaptionBook::saved);
  book.open(CaptionBook::read_all({item_of(image, "old", "txt")}));
  book.type(0, QStringLiteral("mine"));
  QVERIFY(QDir().rename(folder, away));
  book.save();
  QCOMPARE(problem.count(), 1);
  QCOMPARE(book.unsaved(), 1);
  // A scan without the folder finds nothing of it, and one with it the caption from before.
  book.open({});
  QCOMPARE(book.unsaved(), 1);
  const std::vector<CaptionBook::Entry> before = [&] {
    QDir().rename(away, folder);
    return CaptionBook::read_all({item_of(image, "old", "txt")});
  }();
  QDir().rename(folder, away);
  book.open(before);
  QCOMPARE(book.caption(0), QStringLiteral("mine"));
  saved.clear();
  QDir().rename(away, folder);
  QVERIFY(saved.wait(10000));  // without anything pressed
  QCOMPARE(read_bytes(text), QByteArray("mine\n"));
  QVERIFY(book.is_saved());
}

void DataTest::another_language_waits_for_captions_that_cannot_be_written() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.page()->book()->change({{0, QStringLiteral("mine")}}, QStringLiteral("edit"));
  const QString away = t.folder.filePath(QStringLiteral("away"));
  // Thumbnails may be loading, which Windows waits for.
  QVERIFY(QTest::qWaitFor([&] { return QDir().rename(t.images, away); }));
  const QPointer<MainWindow> window = &t.window();
  emit t.window().language_chosen(QStringLiteral("ja"));
  QTRY_VERIFY2(t.window().messages()->text().contains(QStringLiteral("next start")),
               qPrintable(t.window().messages()->text()));
  QVERIFY(window == &t.window());
  QCOMPARE(t.page()->book()->unsaved(), 1);
  QCOMPARE(t.session->settings().language(), QStringLiteral("ja"));
  QVERIFY(QDir().rename(away, t.images));
  t.page()->book()->save();
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("mine\n"));
}

void DataTest::quitting_asks_about_captions_that_cannot_be_written() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.page()->book()->change({{0, QStringLiteral("mine")}}, QStringLiteral("edit"));
  const QString away = t.folder.filePath(QStringLiteral("away"));
  // Thumbnails may be loading, which Windows waits for.
  QVERIFY(QTest::qWaitFor([&] { return QDir().rename(t.images, away); }));
  t.lose_answer = false;
  t.window().close();
  QVERIFY(t.window().isVisible());
  QVERIFY2(t.lose_asked.contains(QStringLiteral("can't be written")), qPrintable(t.lose_asked));
  QVERIFY(QDir().rename(away, t.images));
  t.window().close();
  QVERIFY(!t.window().isVisible());
  QCOMPARE(read_bytes(t.in("a.txt")), QByteArray("mine\n"));
}

void DataTest::typing_is_one_step() {
  QTemporaryDir dir;
  CaptionBook book;
  const QString a = dir.filePath(QStringLiteral("a.png")),
                b = dir.filePath(QStringLiteral("b.png"));
  book.open(CaptionBook::read_all({item_of(a, "", "folder"), item_of(b, "", "folder")}));
  for (const char* text : {"h", "he", "hel"}) {
    book.type(0, QString::fromLatin1(text));
  }
  book.type(1, QStringLiteral("other"));
  QCOMPARE(book.undo_stack()->count(), 2);
  book.undo_stack()->undo();
  book.undo_stack()->undo();
  QCOMPARE(book.caption(0), QString());
}

}  // namespace mantissa::gui
