#pragma once

#include <QAbstractTableModel>
#include <map>
#include <string>
#include <vector>

#include "engine/probe/probe.h"

namespace mantissa::gui {

/// The layers of a probe, the most damaged first; a check box pins a layer to its wider type.
class ProbeTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// The order's own column stands before the long names: in sight in a narrow window too.
  enum Column { pin, gradient, layer, cosine, output, weight, lost, columns };
  using QAbstractTableModel::QAbstractTableModel;

  /// In their order. Copies them.
  void set_modules(const std::vector<const ProbeModule*>& ranked);
  /// The pins of the draft.
  void set_pins(const std::map<std::string, StorageType>& pins);
  const ProbeModule& module(int row) const { return modules_[static_cast<std::size_t>(row)]; }
  bool is_pinned(int row) const { return pins_.contains(module(row).path); }
  /// Pins the layer, or takes its pin away.
  void toggle(int row);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  void pin_requested(const QString& path, StorageType type);
  void unpin_requested(const QString& path);

 private:
  bool can_toggle(int row) const { return is_pinned(row) || module(row).pin.has_value(); }
  QString text(const ProbeModule& module, int column) const;
  static Qt::Alignment alignment(int column);

  std::vector<ProbeModule> modules_;
  std::map<std::string, StorageType> pins_;
};

}  // namespace mantissa::gui
