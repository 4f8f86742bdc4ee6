#include "gui/widgets/BreakRow.h"

#include <QBoxLayout>
#include <QResizeEvent>
#include <algorithm>

#include "gui/base/Theme.h"

namespace mantissa::gui {

BreakRow::BreakRow(QWidget* parent)
    : QWidget(parent), row_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(Space::small);
  row_->setSizeConstraint(QLayout::SetNoConstraint);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void BreakRow::set_halves(QWidget* first, QWidget* second) {
  first_ = first;
  second_ = second;
  row_->addWidget(first);
  row_->addWidget(second, 1);
}

bool BreakRow::is_broken() const {
  return row_->direction() == QBoxLayout::TopToBottom;
}

QSize BreakRow::minimumSizeHint() const {
  const QSize a = first_->minimumSizeHint(), b = second_->minimumSizeHint();
  const int height =
      is_broken() ? a.height() + row_->spacing() + b.height() : std::max(a.height(), b.height());
  return {std::max(a.width(), b.width()), height};
}

bool BreakRow::event(QEvent* event) {
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    arrange();  // a half needs more or less than before
  }
  return done;
}

void BreakRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void BreakRow::arrange() {
  if (first_ == nullptr) {
    return;
  }
  const int needed =
      first_->minimumSizeHint().width() + row_->spacing() + second_->minimumSizeHint().width();
  const auto wanted = needed > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
  if (row_->direction() != wanted) {
    row_->setDirection(wanted);
    updateGeometry();
  }
}

}  // namespace mantissa::gui
