#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "gui/engine/HealthData.h"

namespace mantissa::gui {

/// The tensors of one health record as a table: the heat map's values as text.
class HealthTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Copies the rows.
  void set_rows(std::vector<HealthRow> rows);
  const HealthRow& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<HealthRow> rows_;
};

}  // namespace mantissa::gui
