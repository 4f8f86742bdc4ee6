#pragma once

#include <QTableWidget>
#include <QWidget>

#include "engine/data/buckets.h"
#include "gui/base/Theme.h"
#include "gui/dataset/PictureLoader.h"

namespace mantissa {
struct DatasetCheck;
}  // namespace mantissa

namespace mantissa::gui {

/// A picture with what training keeps of it: what is cut away is darkened.
class CropView : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kSide = 1024;  ///< pixels of the longer side that are read

  CropView(PictureLoader* loader, const Theme* theme, QWidget* parent = nullptr);
  void show_picture(const QString& path, const Placement& placement);
  void clear();
  /// The kept part within the picture, from 0 to 1.
  QRectF kept() const;
  bool has_picture() const;

  QSize sizeHint() const override { return {360, 300}; }
  QSize minimumSizeHint() const override { return {160, 120}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  PictureLoader* loader_;
  const Theme* theme_;
  QString path_;
  Placement placement_;
};

/// How the pictures spread over the buckets, with a bar for each.
class BucketView : public QTableWidget {
  Q_OBJECT

 public:
  explicit BucketView(const Theme* theme, QWidget* parent = nullptr);
  void show_check(const DatasetCheck& check);

 signals:
  /// Index into the buckets.
  void chosen(int bucket);
};

}  // namespace mantissa::gui
