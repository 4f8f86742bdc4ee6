#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/probe/precision_front.h"

namespace mantissa::gui {

/// Choices of types that no other one beats, after the preset as it is, one a row.
class FrontTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { memory, step, error, compute, layers, columns };
  using QAbstractTableModel::QAbstractTableModel;

  void set_front(const PrecisionFront& front);
  const PrecisionPoint& point(int row) const { return points_[static_cast<std::size_t>(row)]; }
  /// All rows; the first is the preset as it is.
  const std::vector<PrecisionPoint>& points() const { return points_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const PrecisionPoint& point, int column) const;
  static Qt::Alignment alignment(int column);

  std::vector<PrecisionPoint> points_;
};

}  // namespace mantissa::gui
