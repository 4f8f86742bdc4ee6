#pragma once

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

#include "engine/train/dataset_check.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/PictureLoader.h"

namespace mantissa::gui {

/// The pictures that training would use, in its order, with their captions and buckets.
class DatasetModel : public QAbstractListModel {
  Q_OBJECT

 public:
  static constexpr int kThumb = 128;  ///< logical pixels
  static constexpr int kPathRole = Qt::UserRole, kCaptionRole = Qt::UserRole + 1,
                       kReadRole = Qt::UserRole + 2;  ///< false: the picture can't be read

  DatasetModel(CaptionBook* book, PictureLoader* loader, QObject* parent = nullptr);

  void set_check(DatasetCheck check);
  /// Sorts the same pictures into the buckets of another recipe.
  void sort_again(const Preset& preset, int quantum);
  const DatasetCheck& check() const { return check_; }
  const ImageItem* at(int item) const;
  /// How a picture is scaled and cut.
  Placement placement(int item) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 signals:
  void sorted();

 private:
  DatasetCheck check_;
  CaptionBook* book_;
  PictureLoader* loader_;
};

/// Those of them that hold every word searched for, in name or caption, and a tag and a bucket
/// where one is chosen.
class DatasetFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit DatasetFilter(DatasetModel* model, QObject* parent = nullptr);
  void set_text(const QString& text);
  void set_tag(const QString& tag);
  /// Index of the bucket; -1: any.
  void set_bucket(int bucket);
  const QString& tag() const { return tag_; }
  int bucket() const { return bucket_; }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  DatasetModel* model_;
  QStringList words_;
  QString tag_;
  int bucket_ = -1;
};

}  // namespace mantissa::gui
