#include "gui/dataset/ImageDelegate.h"

#include <QPainter>

#include "gui/base/Icons.h"
#include "gui/dataset/DatasetFilter.h"
#include "gui/dataset/DatasetModel.h"

namespace mantissa::gui {
namespace {

/// What an image is among duplicates, or why it stood out in a run, where these are shown.
QStringList notes_of(const QModelIndex& index) {
  const auto* filter = qobject_cast<const DatasetFilter*>(index.model());
  if (filter != nullptr && filter->is_outstanding()) {
    return {index.data(DatasetModel::kRunRole).toString()};
  }
  return filter != nullptr && filter->is_grouped()
             ? index.data(DatasetModel::kGroupRole).toString().split(QLatin1Char('\n'))
             : QStringList();
}

}  // namespace

ImageDelegate::ImageDelegate(const Theme* theme, QObject* parent)
    : QStyledItemDelegate(parent), side_(DatasetModel::kThumb), theme_(theme) {}

void ImageDelegate::paint(QPainter* p, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  const ThemeColors& c = theme_->colors();
  const QRectF cell = QRectF(option.rect).adjusted(3, 3, -3, -3);
  p->save();
  p->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  const bool chosen = option.state & QStyle::State_Selected;
  if (chosen) {
    p->setPen(QPen(c.accent, 2));
    p->setBrush(c.raised);
    p->drawRoundedRect(cell.adjusted(-1, -1, 1, 1), 5, 5);
  } else if (option.state & QStyle::State_HasFocus) {
    p->setPen(QPen(c.muted, 1));
    p->drawRoundedRect(cell, 5, 5);
  }
  const double text = option.fontMetrics.height() + 2;
  const QStringList notes = notes_of(index);
  const double below = text * static_cast<double>(1 + notes.size());
  const QRectF area = cell.adjusted(4, 4, -4, -4 - below);
  const QImage image = index.data(Qt::DecorationRole).value<QImage>();
  if (!image.isNull()) {
    const QSizeF size = QSizeF(image.size()).scaled(area.size(), Qt::KeepAspectRatio);
    p->drawImage(QRectF(area.center() - QPointF(size.width() / 2, size.height() / 2), size), image);
  } else if (!index.data(DatasetModel::kReadRole).toBool()) {
    p->setPen(c.error);
    p->drawText(area, Qt::AlignCenter | Qt::TextWordWrap, tr("Can't be read"));
  }
  if (index.data(DatasetModel::kMaskRole).toBool()) {
    const QRectF badge(area.right() - text - 2, area.top() + 2, text, text);
    p->setPen(Qt::NoPen);
    p->setBrush(QColor(0, 0, 0, 150));
    p->drawRoundedRect(badge, 3, 3);
    paint_icon(*p, Icon::mask, badge.adjusted(2, 2, -2, -2), Qt::white);
  }
  const bool bare = index.data(DatasetModel::kCaptionRole).toString().isEmpty();
  QRectF line(cell.left() + 4, cell.bottom() - below - 2, cell.width() - 8, text);
  QRectF note = line;
  if (bare) {
    paint_icon(*p, Icon::warning, QRectF(line.left(), line.top() + 1, text - 3, text - 3),
               c.warning);
    line.setLeft(line.left() + text);
  }
  p->setPen(chosen ? c.text : c.muted);
  p->drawText(line, Qt::AlignCenter,
              option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle,
                                            static_cast<int>(line.width())));
  p->setPen(c.text);
  for (const QString& text_line : notes) {
    note.translate(0, text);
    p->drawText(
        note, Qt::AlignCenter,
        option.fontMetrics.elidedText(text_line, Qt::ElideRight, static_cast<int>(note.width())));
  }
  p->restore();
}

QSize ImageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const int lines = 1 + static_cast<int>(notes_of(index).size());
  return {side_ + 14, side_ + lines * (option.fontMetrics.height() + 2) + 16};
}

}  // namespace mantissa::gui
