#include "gui/widgets/ColumnArea.h"

#include <QEvent>
#include <QScrollBar>

namespace mantissa::gui {

ColumnArea::ColumnArea(const QString& name, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(name);
}

void ColumnArea::set_column(QWidget* column) {
  setWidget(column);
  column->installEventFilter(this);
}

QSize ColumnArea::minimumSizeHint() const {
  const int around = width() - viewport()->width();  // the bar, where it is shown, and the frame
  const int bar = verticalScrollBar()->isVisible() ? 0 : verticalScrollBar()->sizeHint().width();
  const int inside = widget() != nullptr ? widget()->minimumSizeHint().width() : 0;
  return {inside + around + bar, QScrollArea::minimumSizeHint().height()};
}

bool ColumnArea::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) {
    updateGeometry();
  }
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace mantissa::gui
