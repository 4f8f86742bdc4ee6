// DataTest: an image as it is trained. Its crop, its references, its versions.
#include <QDir>
#include <QImage>
#include <QtTest>

#include "engine/data/image_cut.h"
#include "gui/app/SetupPage.h"
#include "gui/dataset/BucketView.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/DatasetModel.h"
#include "gui/dataset/ReferenceViews.h"
#include "gui/dataset/VersionPicker.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/PathEdit.h"
#include "tests/gui/DataStudio.h"
#include "tests/gui/DataTest.h"

namespace mantissa::gui {

void DataTest::crop_is_the_engines() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.select({1});  // b.png, 200 by 100
  const Placement p = t.page()->model()->placement(1);
  const QRectF kept = t.page()->crop()->kept();
  QCOMPARE(kept.width(), static_cast<double>(p.bucket.width) / p.scaled_width);
  QCOMPARE(kept.x(), static_cast<double>(p.left) / p.scaled_width);
  QVERIFY(QTest::qWaitFor([&] { return t.page()->crop()->has_image(); }));
  // Another resolution re-sorts, without a scan.
  const Bucket before = p.bucket;
  t.session->document().edit("data.resolution", 256);
  QVERIFY(t.page()->model()->placement(1).bucket != before);
  QVERIFY(!t.page()->is_scanning());
}

void DataTest::references_are_shown_beside_their_image() {
  DataStudio t;
  t.fill();
  t.show_data();
  DataPage* page = t.page();
  t.select({1});
  QVERIFY(!page->references()->isVisible());
  const QString before = t.folder.filePath(QStringLiteral("before"));
  QDir().mkpath(before);
  draw_scene(before + QStringLiteral("/a.png"), 128, 128, 50);
  draw_scene(before + QStringLiteral("/b.jpg"), 400, 200, 70);
  QSignalSpy scanned(page, &DataPage::scanned);
  t.window().setup_page()->job()->references()->set_path(before);
  QVERIFY(scanned.wait(20000));
  QCOMPARE(page->model()->rowCount(), 2);  // c.png has no reference
  QCOMPARE(page->model()->check().data.report.references, std::int64_t{2});
  t.select({1});
  QCOMPARE(page->references()->views().size(), std::size_t{1});
  CropView* shown = page->references()->views().front();
  QVERIFY(shown->isVisible());
  QCOMPARE(shown->kept(), page->crop()->kept());  // the same part
  QVERIFY(QTest::qWaitFor([&] { return shown->has_image(); }));
  // A bucket around the whole image, as a lone reference of FLUX.3 has.
  shown->show_image(before + QStringLiteral("/b.jpg"),
                    {400, 200, 400, 200, 0, -4, Bucket{400, 208}});
  QCOMPARE(shown->kept(), QRectF(0, 0, 1, 1));
  QVERIFY(shown->accessibleDescription().contains(QLatin1String("reflected")));
  t.window().setup_page()->job()->references()->set_path({});
  QVERIFY(scanned.wait(20000));
  QCOMPARE(page->model()->rowCount(), 3);
  t.select({1});
  QVERIFY(!page->references()->isVisible());
}

void DataTest::versions_are_shown_as_they_are_encoded() {
  DataStudio t;
  t.fill();
  t.show_data();
  t.select({1});
  DataPage* page = t.page();
  QVERIFY(!page->versions()->isVisible());
  PresetDocument& document = t.session->document();
  document.edit("data.crop_jitter", 0.2);
  document.edit("data.rotation", 20);
  document.edit("data.hue", 0.2);
  document.edit("data.variants", 3);
  QVERIFY(page->versions()->isVisible());
  QVERIFY(!page->versions()->previous()->isEnabled());
  QVERIFY(page->crop()->kept().width() < 1);  // the whole image first
  QSet<QString> descriptions;
  for (int variant = 0; variant < 3; ++variant) {
    page->versions()->next()->click();
    QCOMPARE(page->versions()->text(), QStringLiteral("Version %1 of 3").arg(variant + 1));
    QVERIFY(QTest::qWaitFor([&] { return page->crop()->has_image(); }));
    const ImageItem& item = *page->model()->at(1);
    const auto& check = page->model()->check();
    const ImageVersion version =
        image_version(document.preset(), check.buckets[check.bucket_of_item[1]], item, variant);
    const Image encoded = cut_image(item.path, version);
    const QImage expected(encoded.pixels.data(), encoded.width, encoded.height, 3 * encoded.width,
                          QImage::Format_RGB888);
    QCOMPARE(page->crop()->image(), expected.convertToFormat(QImage::Format_RGB32));
    descriptions.insert(version_text(version));
  }
  QCOMPARE(descriptions.size(), 3);
  QVERIFY(!page->versions()->next()->isEnabled());
  document.edit("data.variants", 2);
  QCOMPARE(page->versions()->text(), QStringLiteral("Version 2 of 2"));
  for (const char* amount : {"data.crop_jitter", "data.rotation", "data.hue"}) {
    document.edit(amount, 0);
  }
  QVERIFY(!page->versions()->isVisible());
  QVERIFY(page->crop()->kept().width() < 1);
}

}  // namespace mantissa::gui
