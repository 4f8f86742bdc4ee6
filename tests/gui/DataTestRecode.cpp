// DataTest: captions in encodings from before UTF-8.
#include <QPushButton>
#include <QTableWidget>
#include <cstddef>

#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/RecodeDialog.h"
#include "gui/dataset/SkippedView.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/NoWheelSpin.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

const QByteArray kDisc("\x90\xD4\x82\xA2\x89\x7E\x94\xD5\r\n"), kCafe("caf\xE9");

/// Two captions that aren't UTF-8, and a data folder of its own for the journals.
struct RecodeStudio : DataStudio {
  RecodeStudio() : home_before(qgetenv("MANTISSA_HOME")) {
    qputenv("MANTISSA_HOME", folder.filePath(QStringLiteral("home")).toUtf8());
    fill();
    write_bytes(in("b.txt"), kDisc);
    write_bytes(in("c.txt"), kCafe);
    show_data();
    page()->show_view(DataPage::left_out);
  }
  ~RecodeStudio() { qputenv("MANTISSA_HOME", home_before); }
  RecodeStudio(const RecodeStudio&) = delete;
  RecodeStudio& operator=(const RecodeStudio&) = delete;

  RecodeDialog* open() {
    QTest::mouseClick(page()->skipped()->read_as_button(), Qt::LeftButton);
    return page()->recoder();
  }
  static void choose(RecodeDialog* dialog, LegacyEncoding encoding) {
    dialog->encoding()->setCurrentIndex(dialog->encoding()->findData(static_cast<int>(encoding)));
  }
  static QString reading(const RecodeDialog* dialog, int row) {
    return dialog->table()->item(row, 1)->text();
  }
  QByteArray home_before;
};

}  // namespace

void DataTest::captions_are_read_in_the_chosen_encoding() {
  if (!has_legacy_encoding(LegacyEncoding::shift_jis)) {
    QSKIP("the system has no tables of Shift-JIS");
  }
  RecodeStudio t;
  QCOMPARE(t.page()->model()->rowCount(), 1);
  QVERIFY(t.page()->skipped()->read_as_button()->isVisible());
  RecodeDialog* dialog = t.open();
  QVERIFY(dialog != nullptr && dialog->table()->rowCount() == 2);
  QVERIFY(!dialog->convert_button()->isEnabled());  // no encoding is guessed
  QVERIFY(RecodeStudio::reading(dialog, 0).isEmpty());
  RecodeStudio::choose(dialog, LegacyEncoding::windows_1251);
  QCOMPARE(RecodeStudio::reading(dialog, 1), QString::fromUtf8("cafй"));
  RecodeStudio::choose(dialog, LegacyEncoding::shift_jis);
  QCOMPARE(RecodeStudio::reading(dialog, 0), QString::fromUtf8("赤い円盤"));
  QVERIFY(RecodeStudio::reading(dialog, 1).startsWith(QStringLiteral("Not in this encoding")));
  QCOMPARE(dialog->convert_button()->text(), QStringLiteral("Convert 1 file(s) to UTF-8"));
  QCOMPARE(read_bytes(t.in("b.txt")), kDisc);  // nothing is written yet
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  QTest::mouseClick(dialog->convert_button(), Qt::LeftButton);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(read_bytes(t.in("b.txt")), QByteArray("赤い円盤\r\n"));
  QCOMPARE(read_bytes(t.in("c.txt")), kCafe);
  QCOMPARE(t.page()->model()->rowCount(), 2);
  // The other is still offered, and what was converted comes back to the byte.
  QVERIFY(t.page()->skipped()->read_as_button()->isVisibleTo(t.page()->skipped()));
  const auto& offers = t.window().messages()->offers();
  QCOMPARE(offers.size(), std::size_t{1});
  offers.front()->click();
  QVERIFY(scanned.wait(20000));
  QCOMPARE(read_bytes(t.in("b.txt")), kDisc);
  QCOMPARE(t.page()->model()->rowCount(), 1);
}

void DataTest::a_caption_that_changed_is_not_converted() {
  RecodeStudio t;
  RecodeDialog* dialog = t.open();
  QVERIFY(dialog != nullptr);
  RecodeStudio::choose(dialog, LegacyEncoding::windows_1252);
  write_bytes(t.in("c.txt"), "by hand\n");
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  QTest::mouseClick(dialog->convert_button(), Qt::LeftButton);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(read_bytes(t.in("c.txt")), QByteArray("by hand\n"));
}

void DataTest::captions_in_utf8_need_no_encoding() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.page()->show_view(DataPage::left_out);
  QVERIFY(!t.page()->skipped()->read_as_button()->isVisible());
}

}  // namespace mantissa::gui
