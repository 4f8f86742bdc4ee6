#pragma once

#include <QTableWidget>
#include <QWidget>
#include <optional>
#include <vector>

#include "engine/data/buckets.h"
#include "engine/data/loader.h"
#include "gui/base/Theme.h"
#include "gui/dataset/ImageLoader.h"

namespace mantissa {
struct DatasetCheck;
}  // namespace mantissa

namespace mantissa::gui {

class PresetDocument;

/// An image with its training crop: the area outside is darkened. Or a version of it, as encoded.
class CropView : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kSide = 1024;  ///< pixels read on the longer side

  CropView(ImageLoader* loader, const Theme* theme, QWidget* parent = nullptr);
  void show_image(const QString& path, const Placement& placement);
  void show_version(const QString& path, const ImageVersion& version);
  /// The image's mask file, shown over it; empty: none.
  void show_mask(const QString& path);
  void clear();
  /// The crop within the image, from 0 to 1.
  QRectF kept() const;
  /// The mask's layer; null without one, or until it is read.
  QImage overlay() const;
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
  QString path_, mask_;
  Placement placement_;
  std::optional<ImageVersion> version_;
};

/// Distribution of the images over the buckets, with a bar for each. A size can be left out by its
/// checkbox, as part of the preset (data.skip_buckets); it stays in the table, without images.
class BucketView : public QTableWidget {
  Q_OBJECT

 public:
  enum Column { size_column, aspect, images, share, batches, fillers, cut_away, columns };

  BucketView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);
  void show_check(const DatasetCheck& check);

 signals:
  /// Index into the buckets.
  void chosen(int bucket);
  void problem(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Row {
    Bucket size;
    int bucket = -1;  ///< index; -1: left out
    BucketUse use;
    double cut_away = 0;
  };
  void fill(const std::vector<Row>& rows);
  /// Leaves a size out, or takes it in again.
  void set_used(const Bucket& size, bool used);

  PresetDocument* document_;
  std::vector<Row> rows_;
  int quantum_ = 64;
  bool filling_ = false;
};

}  // namespace mantissa::gui
