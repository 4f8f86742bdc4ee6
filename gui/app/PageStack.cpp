#include "gui/app/PageStack.h"

#include <QApplication>
#include <QLayout>
#include <QScrollArea>
#include <algorithm>

namespace mantissa::gui {

PageStack::PageStack(const WindowParts& parts, PathChooser open_preset, QWidget* parent)
    : QStackedWidget(parent), from_{parts, std::move(open_preset), {}} {
  for (const PageRow& row : page_table()) {
    Page* page = row.make(from_, this);
    from_.made.push_back(page);
    addWidget(page);
  }
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (now != nullptr && now == QApplication::focusWidget() && isAncestorOf(now)) {
      bring_into_view(now);
    }
  });
}

void PageStack::bring_into_view(QWidget* widget) {
  for (QWidget* up = widget; up != this; up = up->parentWidget()) {
    auto* area = qobject_cast<QScrollArea*>(up);
    // What is larger than its area is in view; its middle need not be.
    if (area != nullptr && widget->height() <= area->viewport()->height()) {
      area->ensureWidgetVisible(widget);
    }
  }
}

void PageStack::show_page(Page* page) {
  setCurrentWidget(page);
  emit chosen(page);
  page->brought_up();
}

void PageStack::set_covered(int height) {
  covered_ = height;
  leave_free();
}

void PageStack::leave_free() {
  for (Page* page : from_.made) {
    const int now = page->contentsMargins().bottom();
    const int least = page->layout()->totalMinimumSize().height() - now;
    page->setContentsMargins(0, 0, 0, std::clamp(height() - least, 0, covered_));
  }
}

void PageStack::resizeEvent(QResizeEvent* event) {
  QStackedWidget::resizeEvent(event);
  leave_free();
}

Page* PageStack::page() const {
  return static_cast<Page*>(currentWidget());
}

}  // namespace mantissa::gui
