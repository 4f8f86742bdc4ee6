#include "gui/widgets/MiddleElide.h"

namespace mantissa::gui {

void MiddleElide::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  option->textElideMode = Qt::ElideMiddle;
}

}  // namespace mantissa::gui
