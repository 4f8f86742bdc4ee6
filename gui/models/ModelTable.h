#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>
#include <QVector>

#include "gui/programs/ModelScan.h"

namespace mantissa::gui {

/// Base models found on this machine as a table.
class ModelTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { name, family, types, size, place, column_count };
  static constexpr int kPathRole = Qt::UserRole, kSortRole = Qt::UserRole + 1;

  using QAbstractTableModel::QAbstractTableModel;
  void clear();
  void add(const QVector<FoundModel>& models);
  const FoundModel* at(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QVector<FoundModel> models_;
};

/// "SDXL", "FLUX.2 · klein, distilled", …
QString model_family_text(const FoundModel& model);

/// Models that have every word of a search in a column.
class ModelFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ModelFilter(ModelTable* table, QObject* parent = nullptr);
  void set_text(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  ModelTable* table_;
  QStringList words_;
};

}  // namespace mantissa::gui
