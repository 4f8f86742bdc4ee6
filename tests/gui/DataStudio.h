#pragma once

#include <QDir>
#include <QFile>
#include <QImage>
#include <QListView>
#include <QPainter>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "gui/app/SetupPage.h"
#include "gui/dataset/DataPage.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

inline QByteArray read_bytes(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write_bytes(const QString& name, const QByteArray& text) {
  QFile file(name);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

/// The button of a page by its accessible name; null if there is none.
inline QToolButton* tool_of(const QWidget* page, const QString& name) {
  for (auto* button : page->findChildren<QToolButton*>()) {
    if (button->accessibleName() == name) {
      return button;
    }
  }
  return nullptr;
}

inline void draw_scene(const QString& name, int width, int height, int hue = 200) {
  QImage image(width, height, QImage::Format_RGB32);
  QPainter p(&image);
  QLinearGradient sky(0, 0, 0, height);
  sky.setColorAt(0, QColor::fromHsv(hue % 360, 110, 230));
  sky.setColorAt(1, QColor::fromHsv((hue + 170) % 360, 90, 240));
  p.fillRect(image.rect(), sky);
  p.setRenderHint(QPainter::Antialiasing);
  p.setBrush(QColor(190, 40, 30));
  p.drawEllipse(QPointF(width / 2.0, height / 2.0), height / 4.0, height / 4.0);
  p.end();
  QVERIFY(image.save(name));
}

/// A studio with a folder of images.
struct DataStudio : TestSession {
  DataStudio() : TestSession(FakeEngine{}, false) {
    images = folder.filePath(QStringLiteral("images"));
    QDir().mkpath(images);
  }
  QString in(const char* name) const {
    return images + QLatin1Char('/') + QString::fromLatin1(name);
  }
  void fill() {
    draw_scene(in("a.png"), 128, 128, 20);
    draw_scene(in("b.png"), 200, 100, 90);
    draw_scene(in("c.png"), 64, 128, 160);
    write_bytes(in("a.txt"), "red, disc");
    write_bytes(in("b.txt"), "disc, wide, sky");
    draw_scene(in("tiny.png"), 4, 50);
    write_bytes(in("broken.png"), "not an image");
    write_bytes(in("lonely.txt"), "no image has this name");
    session->document().edit("data.resolution", 128);
  }
  DataPage* page() { return window().data_page(); }
  void show_data() {
    window().setup_page()->job()->set_paths(QString(), {images});
    show();
    QSignalSpy scanned(page(), &DataPage::scanned);
    window().show_page(window().data_page());
    QVERIFY(scanned.wait(20000));
  }
  void select(const QVector<int>& rows) {
    auto* selection = page()->list()->selectionModel();
    selection->clear();
    for (const int row : rows) {
      const QModelIndex index = page()->list()->model()->index(row, 0);
      selection->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
      selection->select(index, QItemSelectionModel::Select);
    }
  }
  QString images;
};

}  // namespace mantissa::gui
