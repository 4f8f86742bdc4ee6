#pragma once

#include <QStyledItemDelegate>

#include "gui/base/Theme.h"

namespace mantissa::gui {

/// A thumbnail with its name below, marks of a mask and of an empty caption, and what it is among
/// duplicates where these are shown.
class ImageDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ImageDelegate(const Theme* theme, QObject* parent);

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  /// Sets the side of the thumbnails, in pixels.
  void set_side(int side) { side_ = side; }

 private:
  int side_;
  const Theme* theme_;
};

}  // namespace mantissa::gui
