#pragma once

#include <QTableWidget>
#include <QWidget>
#include <optional>

#include "engine/data/buckets.h"
#include "gui/base/Theme.h"
#include "gui/dataset/ImageLoader.h"

namespace mantissa {
struct DatasetCheck;
}  // namespace mantissa

namespace mantissa::gui {

/// An image with its training crop: the area outside is darkened. Or a version of it, as encoded.
class CropView : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kSide = 1024;  ///< pixels read on the longer side

  CropView(ImageLoader* loader, const Theme* theme, QWidget* parent = nullptr);
  void show_image(const QString& path, const Placement& placement);
  void show_version(const QString& path, const ImageVersion& version);
  void clear();
  /// The crop within the image, from 0 to 1.
  QRectF kept() const;
  bool has_image() const { return !image().isNull(); }
  /// Null until it is read.
  QImage image() const;

  QSize sizeHint() const override { return {360, 300}; }
  QSize minimumSizeHint() const override { return {160, 52}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ImageLoader* loader_;
  const Theme* theme_;
  QString path_;
  Placement placement_;
  std::optional<ImageVersion> version_;
};

/// Distribution of the images over the buckets, with a bar for each.
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
