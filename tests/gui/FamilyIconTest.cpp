#include "tests/gui/FamilyIconTest.h"

#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QtTest>

#include "engine/preset/family_table.h"
#include "engine/preset/preset_library.h"
#include "gui/app/PresetFiles.h"
#include "gui/base/FamilyIcon.h"
#include "gui/preset/PresetPicker.h"
#include "tests/gui/HistoryStudio.h"

namespace mantissa::gui {
namespace {

std::vector<std::string> keys() {
  std::vector<std::string> all{"", "sd2"};
  for (const FamilyRow* row : family_rows()) {
    all.emplace_back(row->id.name());
  }
  return all;
}

QImage drawn(const std::string& key, const QColor& surface, int size = 16) {
  QImage image(size, size, QImage::Format_RGB32);
  image.fill(surface);
  QPainter painter(&image);
  family_icon(key).paint(&painter, QRect(0, 0, size, size));
  return image;
}

/// The two colours that cover most of an icon.
std::pair<QRgb, QRgb> main_colors(const QImage& image, QRgb surface) {
  std::map<QRgb, int> count;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      ++count[image.pixel(x, y)];
    }
  }
  count.erase(surface);
  std::vector<std::pair<int, QRgb>> order;
  for (const auto& [color, pixels] : count) {
    order.emplace_back(pixels, color);
  }
  std::sort(order.rbegin(), order.rend());
  return {order.at(0).second, order.at(1).second};
}

/// Letters and outline without colour: by which of surface, fill and ink a pixel is nearest to.
QByteArray shape(const std::string& key) {
  const QColor apart(0xff, 0x00, 0xff);
  const QImage image = drawn(key, apart);
  const auto [fill, ink] = main_colors(drawn(key, apart, 160), apart.rgb());
  QByteArray kinds;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const auto distance = [pixel = image.pixel(x, y)](QRgb color) {
        return std::abs(qRed(pixel) - qRed(color)) + std::abs(qGreen(pixel) - qGreen(color)) +
               std::abs(qBlue(pixel) - qBlue(color));
      };
      const int distances[] = {distance(apart.rgb()), distance(fill), distance(ink)};
      kinds += static_cast<char>(
          '0' + (std::min_element(std::begin(distances), std::end(distances)) - distances));
    }
  }
  return kinds;
}

}  // namespace

void FamilyIconTest::families_differ_without_colour() {
  const std::vector<std::string> all = keys();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const QByteArray a = shape(all[i]), b = shape(all[j]);
      int different = 0;
      for (int k = 0; k < a.size(); ++k) {
        different += a[k] != b[k] ? 1 : 0;
      }
      QVERIFY2(different >= 20, qPrintable(QStringLiteral("'%1' and '%2': %3 pixels")
                                               .arg(to_qstring(all[i]), to_qstring(all[j]))
                                               .arg(different)));
    }
  }
  const QString keep = qEnvironmentVariable("MANTISSA_SCREENSHOTS");
  if (!keep.isEmpty()) {
    QImage sheet(static_cast<int>(all.size()) * 90, 160, QImage::Format_RGB32);
    sheet.fill(Qt::white);
    QPainter painter(&sheet);
    painter.fillRect(0, 80, sheet.width(), 80, Theme::dark_colors().window);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (const int top : {8, 88}) {
        const int left = static_cast<int>(i) * 90 + 8;
        family_icon(all[i]).paint(&painter, QRect(left, top, 48, 48));
        family_icon(all[i]).paint(&painter, QRect(left + 56, top, 16, 16));
      }
    }
    QVERIFY(QDir().mkpath(keep) && sheet.save(keep + QStringLiteral("/families.png")));
  }
}

void FamilyIconTest::icons_are_seen_in_both_themes() {
  for (const std::string& key : keys()) {
    for (const ThemeColors& c : {Theme::light_colors(), Theme::dark_colors()}) {
      const QColor apart(0xff, 0x00, 0xff);  // from white letters on a white surface
      const auto [fill, ink] = main_colors(drawn(key, apart, 160), apart.rgb());
      QVERIFY2(contrast_ratio(fill, c.surface) >= 2.5, key.c_str());
      if (!key.empty()) {
        QVERIFY2(contrast_ratio(fill, ink) >= 4.5, key.c_str());
      }
    }
  }
  QCOMPARE(family_title("sd2"), QStringLiteral("SD 2.x"));
  QCOMPARE(family_title("sdxl"), QStringLiteral("SDXL"));
  QCOMPARE(family_title("made up"), QStringLiteral("Model family unknown"));
}

void FamilyIconTest::history_shows_them() {
  HistoryStudio t;
  {
    RunStore store(t.database);
    store.create_run(t.row(QStringLiteral("r1"), QStringLiteral("finished")));
    store.create_run(t.row(QStringLiteral("r2"), QStringLiteral("finished")));
    store.set_plan("r1", "{}", "flux2");
  }
  t.show_history(2);
  const auto cell = [&](const char* id, int role) {
    const RunModel* model = t.page()->model();
    for (int i = 0; i < model->rowCount(); ++i) {
      if (model->index(i, 0).data(RunModel::kIdRole).toString() == QLatin1String(id)) {
        return model->index(i, RunModel::base).data(role);
      }
    }
    return QVariant();
  };
  const auto image = [](const QVariant& icon) {
    return icon.value<QIcon>().pixmap(32, 32).toImage();
  };
  QCOMPARE(image(cell("r1", Qt::DecorationRole)), family_icon("flux2").pixmap(32, 32).toImage());
  QCOMPARE(image(cell("r2", Qt::DecorationRole)), family_icon("").pixmap(32, 32).toImage());
  for (const int role : {Qt::ToolTipRole, Qt::AccessibleTextRole}) {
    QVERIFY(cell("r1", role).toString().startsWith(QStringLiteral("FLUX.2 klein\n/models/")));
    QVERIFY(cell("r2", role).toString().startsWith(QStringLiteral("Model family unknown")));
  }
}

void FamilyIconTest::recent_files_show_them() {
  TestSession t{FakeEngine{}};
  t.show();
  QVERIFY(t.window().files()->open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/sd2-lora.json")));
  QVERIFY(t.window().files()->open(QStringLiteral(MANTISSA_SOURCE_DIR "/presets/anima-lora.json")));
  QMenu* recent = nullptr;
  for (QMenu* menu : t.window().findChildren<QMenu*>()) {
    if (menu->title() == QStringLiteral("Open &recent")) {
      recent = menu;
    }
  }
  QVERIFY(recent != nullptr);
  emit recent->aboutToShow();
  const QList<QAction*> files = recent->actions();
  QCOMPARE(files.size(), 2);
  QVERIFY(files[0]->toolTip().startsWith(QStringLiteral("Anima\n")));
  QVERIFY(files[1]->toolTip().startsWith(QStringLiteral("SD 2.x\n")));
  QCOMPARE(files[1]->icon().pixmap(32, 32).toImage(), family_icon("sd2").pixmap(32, 32).toImage());
  QVERIFY(recent->toolTipsVisible());
}

void FamilyIconTest::presets_show_them() {
  PresetEntry entry;
  entry.id = "one";
  entry.preset.name = "One";
  entry.preset.model.family = ModelFamily("krea2");
  const Theme theme;
  PresetPicker picker({entry}, &theme);
  const QListWidgetItem* item = picker.list()->item(picker.list()->count() - 1);
  QCOMPARE(item->text(), QStringLiteral("One"));
  QCOMPARE(item->icon().pixmap(32, 32).toImage(), family_icon("krea2").pixmap(32, 32).toImage());
  QCOMPARE(item->data(Qt::AccessibleTextRole).toString(), QStringLiteral("One, Krea 2"));
}

}  // namespace mantissa::gui
