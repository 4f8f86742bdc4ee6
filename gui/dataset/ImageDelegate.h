#pragma once

#include <QStyledItemDelegate>

#include "gui/base/Theme.h"

namespace mantissa::gui {

/// A thumbnail with its name below, a mark if the caption is empty, and what it is among duplicates
/// where these are shown.
class ImageDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ImageDelegate(const Theme* theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  const Theme* theme_;
};

}  // namespace mantissa::gui
