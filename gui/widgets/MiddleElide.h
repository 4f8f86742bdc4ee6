#pragma once

#include <QStyledItemDelegate>

namespace mantissa::gui {

/// Cells of names that begin alike: one that is too long loses its middle, not its end. Set for a
/// column of a table.
class MiddleElide : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace mantissa::gui
