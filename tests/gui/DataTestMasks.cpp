// DataTest: masks that are painted on the Data page.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QListView>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>
#include <QWheelEvent>

#include "engine/core/paths.h"
#include "engine/data/masks.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/dataset/MaskCanvas.h"
#include "gui/dataset/MaskEditor.h"
#include "gui/dataset/MaskPainting.h"
#include "gui/widgets/MessageBar.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {
namespace {

/// Three images, the second of them 200 by 100 with a crop of its middle.
struct MaskStudio : DataStudio {
  MaskStudio() {
    fill();
    session->document().edit("data.masks", "files");
    page()->trash()->set_mover([this](const QString& file) {
      moved << QFileInfo(file).fileName();
      const QString place = folder.filePath(moved.back());
      return QFile::rename(file, place) ? std::optional(place) : std::nullopt;
    });
  }
  MaskCanvas* canvas() { return page()->mask_editor()->canvas(); }
  const QImage& mask() { return page()->mask_editor()->painting()->mask(); }
  void edit(int row) {
    select({row});
    QToolButton* button = tool_of(page(), QStringLiteral("Paint mask"));
    button = button != nullptr ? button : tool_of(page(), QStringLiteral("Edit mask"));
    QVERIFY(button != nullptr && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(page()->mask_editor()->isVisible());
    QTest::qWait(20);
  }
  /// With the mouse, between two points of the mask.
  void stroke(const QPointF& from, const QPointF& to) {
    const auto at = [&](const QPointF& point) { return canvas()->shown_at(point).toPoint(); };
    QTest::mousePress(canvas(), Qt::LeftButton, {}, at(from));
    QMouseEvent move(QEvent::MouseMove, QPointF(at(to)), canvas()->mapToGlobal(QPointF(at(to))),
                     Qt::LeftButton, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &move);
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, at(to));
  }
  void press(const QString& name) {
    for (auto* button : page()->mask_editor()->findChildren<QAbstractButton*>()) {
      if (button->accessibleName() == name) {
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        return;
      }
    }
    QFAIL(qPrintable(name));
  }
  QStringList moved;
};

int value(const QImage& mask, int x, int y) {
  return qGray(mask.pixel(x, y));
}

}  // namespace

void DataTest::a_mask_is_painted_as_training_reads_it() {
  MaskStudio t;
  t.show_data();
  t.edit(1);
  QCOMPARE(t.mask().size(), QSize(200, 100));
  QVERIFY(is_blank(t.mask()));
  t.canvas()->set_brush_size(40);
  t.canvas()->set_hardness(100);
  // The first stroke decides: only what it paints counts.
  t.stroke({100, 50}, {110, 50});
  QCOMPARE(value(t.mask(), 100, 50), 255);
  QCOMPARE(value(t.mask(), 140, 50), 0);
  QCOMPARE(value(t.mask(), 2, 2), 0);
  QVERIFY(!QFile::exists(t.in("b-masklabel.png")));
  t.press(QStringLiteral("Save mask"));
  QVERIFY(!t.page()->mask_editor()->isVisible() && t.page()->list()->isVisible());
  QVERIFY(QFile::exists(t.in("b-masklabel.png")));
  QVERIFY(!QDir(t.images)
               .entryList(QDir::Files)
               .join(QLatin1Char(' '))
               .contains(QStringLiteral("tmp")));
  // The image says so, and the engine's weights follow the stroke.
  const ImageItem& item = *t.page()->model()->at(1);
  QCOMPARE(item.mask, to_path(t.in("b-masklabel.png")));
  QVERIFY(check_mask(item).empty());
  QVERIFY(t.page()->model()->index(1).data(DatasetModel::kMaskRole).toBool());
  QVERIFY(t.page()
              ->model()
              ->index(1)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("Has a mask")));
  QVERIFY(QTest::qWaitFor([&] { return !t.page()->crop()->overlay().isNull(); }));
  const QImage layer = t.page()->crop()->overlay();
  QCOMPARE(qAlpha(layer.pixel(100, 50)), 0);
  QVERIFY(qAlpha(layer.pixel(2, 2)) > 100);
  const Placement placement = t.page()->model()->placement(1);
  const HostTensor weights = load_mask(item, MaskMode::files, placement, 8);
  const auto width = static_cast<std::size_t>(weights.shape[1]);
  const auto height = static_cast<std::size_t>(weights.shape[0]);
  QCOMPARE(weights.data[height / 2 * width + width / 2], 1.0F);
  QCOMPARE(weights.data[0], 0.0F);
  // A scan finds it, and it opens as it was left.
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  t.page()->scan();
  QVERIFY(scanned.wait(20000));
  QCOMPARE(t.page()->model()->check().data.report.masks, std::int64_t{1});
  t.edit(1);
  QCOMPARE(value(t.mask(), 100, 50), 255);
  QCOMPARE(value(t.mask(), 2, 2), 0);
}

void DataTest::escape_saves_a_mask_and_cancel_discards_it() {
  MaskStudio t;
  t.show_data();
  t.edit(1);
  t.stroke({100, 50}, {110, 50});
  t.press(QStringLiteral("Leave the mask as it was"));
  QVERIFY(!t.page()->mask_editor()->isVisible());
  QVERIFY(!QFile::exists(t.in("b-masklabel.png")));
  t.edit(1);
  t.stroke({100, 50}, {110, 50});
  QTest::keyClick(t.canvas(), Qt::Key_Escape);
  QVERIFY(!t.page()->mask_editor()->isVisible());
  QVERIFY(QFile::exists(t.in("b-masklabel.png")));
}

void DataTest::the_key_that_opened_a_mask_saves_it() {
  MaskStudio t;
  t.show_data();
  t.edit(1);
  t.stroke({100, 50}, {110, 50});
  QTest::keyClick(&t.window(), Qt::Key_M, Qt::ControlModifier);
  QVERIFY(!t.page()->mask_editor()->isVisible());
  QVERIFY(QFile::exists(t.in("b-masklabel.png")));
}

void DataTest::strokes_of_a_mask_are_undone() {
  MaskStudio t;
  t.show_data();
  t.edit(0);  // a.png, 128 by 128
  t.canvas()->set_brush_size(20);
  t.canvas()->set_hardness(100);
  // By keyboard: X is the eraser, which takes out of a blank mask.
  t.canvas()->setFocus();
  QTest::keyClick(t.canvas(), Qt::Key_X);
  QVERIFY(t.canvas()->erases());
  t.stroke({30, 30}, {30, 30});
  QCOMPARE(value(t.mask(), 30, 30), 0);
  QCOMPARE(value(t.mask(), 90, 90), 255);
  QTest::keyClick(t.canvas(), Qt::Key_X);
  t.stroke({30, 30}, {60, 30});
  QCOMPARE(value(t.mask(), 30, 30), 255);
  const QString caption = t.page()->book()->caption(0);
  // The window's own keys.
  QTest::keyClick(t.canvas(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(value(t.mask(), 30, 30), 0);
  QTest::keyClick(t.canvas(), Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(is_blank(t.mask()));
  QTest::keyClick(t.canvas(), Qt::Key_Y, Qt::ControlModifier);
  QCOMPARE(value(t.mask(), 30, 30), 0);
  QCOMPARE(t.page()->book()->caption(0), caption);
  t.press(QStringLiteral("Invert"));
  QCOMPARE(value(t.mask(), 30, 30), 255);
  QCOMPARE(value(t.mask(), 90, 90), 0);
  t.press(QStringLiteral("Clear"));
  QVERIFY(is_blank(t.mask()));
  t.press(QStringLiteral("Undo"));
  QCOMPARE(value(t.mask(), 90, 90), 0);
  // [ and ] change the size.
  const int size = t.canvas()->brush_size();
  QTest::keyClick(t.canvas(), Qt::Key_BracketRight);
  QVERIFY(t.canvas()->brush_size() > size);
  QTest::keyClick(t.canvas(), Qt::Key_BracketLeft);
  QTest::keyClick(t.canvas(), Qt::Key_BracketLeft);
  QVERIFY(t.canvas()->brush_size() < size);
  // The wheel enlarges about the pointer; 0 shows all again.
  const QPointF at = t.canvas()->shown_at({70, 70});
  QWheelEvent wheel(at, t.canvas()->mapToGlobal(at), {}, {0, 480}, {}, {}, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(t.canvas(), &wheel);
  QVERIFY(t.canvas()->zoom() > 2);
  QVERIFY((t.canvas()->shown_at({70, 70}) - at).manhattanLength() < 2);
  t.stroke({70, 70}, {70, 70});
  QCOMPARE(value(t.mask(), 70, 70), 255);
  QTest::keyClick(t.canvas(), Qt::Key_0);
  QCOMPARE(t.canvas()->zoom(), 1.0);
  // Cancel leaves everything as it was; then captions are undone again.
  t.press(QStringLiteral("Leave the mask as it was"));
  QVERIFY(!t.page()->mask_editor()->isVisible());
  QVERIFY(!QFile::exists(t.in("a-masklabel.png")));
  QVERIFY(t.page()->undo_stack() == t.page()->book()->undo_stack());
}

void DataTest::a_soft_brush_fades_and_never_adds_up() {
  QImage mask = blank_mask({101, 101});
  mask.fill(0);
  MaskStroke stroke(mask.copy(), {60, 0.5, false});
  stroke.paint(mask, {50.5, 50.5}, {50.5, 50.5});
  QCOMPARE(value(mask, 50, 50), 255);
  QCOMPARE(value(mask, 60, 50), 255);
  const int edge = value(mask, 73, 50);
  QVERIFY(edge > 60 && edge < 200);
  QCOMPARE(value(mask, 90, 50), 0);
  stroke.paint(mask, {50.5, 50.5}, {50.5, 50.5});
  QCOMPARE(value(mask, 73, 50), edge);
  // At most 2048 pixels, of the same shape.
  QCOMPARE(mask_size(800, 600), QSize(800, 600));
  QCOMPARE(mask_size(6000, 4000), QSize(2048, 1365));
  QCOMPARE(mask_size(9600, 96), QSize(9600, 96));
}

void DataTest::a_mask_goes_to_the_trash_and_comes_back() {
  MaskStudio t;
  QImage white(128, 128, QImage::Format_RGB32);
  white.fill(Qt::gray);
  white.save(t.in("a-masklabel.jpg"));
  t.show_data();
  t.select({0});
  QToolButton* remove = tool_of(t.page(), QStringLiteral("Remove mask"));
  QVERIFY(remove->isVisible());
  remove->click();
  QCOMPARE(t.moved, QStringList{QStringLiteral("a-masklabel.jpg")});
  QVERIFY(!remove->isVisible());
  QVERIFY(t.page()->model()->at(0)->mask.empty());
  const auto& offers = t.window().messages()->offers();
  QCOMPARE(offers.size(), std::size_t{1});
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  offers.front()->click();
  QVERIFY(scanned.wait(20000));
  QVERIFY(QFile::exists(t.in("a-masklabel.jpg")));
  // A cleared mask is no file either.
  t.moved.clear();
  t.edit(0);
  t.press(QStringLiteral("Clear"));
  t.press(QStringLiteral("Save mask"));
  QCOMPARE(t.moved, QStringList{QStringLiteral("a-masklabel.jpg")});
  QVERIFY(!QFile::exists(t.in("a-masklabel.png")));
  // A blank one that was never saved neither.
  t.edit(2);
  t.press(QStringLiteral("Save mask"));
  QVERIFY(!QFile::exists(t.in("c-masklabel.png")));
}

void DataTest::another_programs_mask_is_kept() {
  MaskStudio t;
  t.show_data();
  t.edit(0);
  t.stroke({60, 60}, {70, 70});
  write_bytes(t.in("a-masklabel.png"), "from elsewhere");
  t.press(QStringLiteral("Save mask"));
  QVERIFY(t.page()->mask_editor()->isVisible());  // the strokes are still there
  QVERIFY(t.window().messages()->text().contains(QStringLiteral("another program")));
  QCOMPARE(read_bytes(t.in("a-masklabel.png")), QByteArray("from elsewhere"));
  t.press(QStringLiteral("Leave the mask as it was"));
  // Leaving the page saves, as it does captions.
  QVERIFY(QFile::remove(t.in("a-masklabel.png")));
  t.edit(0);
  t.stroke({60, 60}, {70, 70});
  t.page()->show_view(DataPage::buckets);
  QVERIFY(QFile::exists(t.in("a-masklabel.png")));
  // A mask without any part that counts is told as the engine tells it.
  t.page()->show_view(DataPage::images);
  t.edit(2);
  t.press(QStringLiteral("Invert"));
  t.press(QStringLiteral("Save mask"));
  QVERIFY2(t.window().messages()->text().contains(QStringLiteral("c-masklabel.png is all black")),
           qPrintable(t.window().messages()->text()));
  // One of another shape leaves its image out.
  QImage(128, 40, QImage::Format_RGB32).save(t.in("a-masklabel.png"));
  QSignalSpy scanned(t.page(), &DataPage::scanned);
  t.page()->scan();
  QVERIFY(scanned.wait(20000));
  QCOMPARE(t.page()->model()->rowCount(), 2);
}

void DataTest::masks_that_a_preset_doesnt_use_are_told() {
  MaskStudio t;
  t.session->document().edit("data.masks", "off");
  t.show_data();
  t.edit(0);
  t.press(QStringLiteral("Use mask files"));
  QVERIFY(t.session->document().preset().data.masks == MaskMode::files);
  t.stroke({60, 60}, {70, 70});
  t.press(QStringLiteral("Save mask"));
  QVERIFY(QFile::exists(t.in("a-masklabel.png")));
}

void DataTest::screenshots_of_masks() {
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (keep.isEmpty()) {
    QSKIP("MANTISSA_SCREENSHOTS names no folder");
  }
  QDir().mkpath(keep);
  for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
    MaskStudio t;
    t.session->theme().apply(*qobject_cast<QApplication*>(qApp), mode);
    t.show_data();
    for (const QSize& size : {QSize(1024, 700), QSize(1366, 768)}) {
      t.window().resize(size);
      t.edit(1);
      t.stroke({90, 50}, {115, 60});
      QVERIFY(QTest::qWaitFor([&] { return !t.page()->is_loading(); }, 20000));
      const QString end = QStringLiteral("%1-%2.png")
                              .arg(mode == ThemeMode::dark ? "dark" : "light")
                              .arg(size.width());
      QTest::qWait(50);
      QVERIFY(t.window().grab().save(keep + QStringLiteral("/mask-editor-") + end));
      t.press(QStringLiteral("Save mask"));
      QVERIFY(QTest::qWaitFor([&] { return !t.page()->crop()->overlay().isNull(); }));
      QTest::qWait(50);
      QVERIFY(t.window().size() == size);
      QVERIFY(t.window().grab().save(keep + QStringLiteral("/mask-page-") + end));
    }
  }
}

}  // namespace mantissa::gui
