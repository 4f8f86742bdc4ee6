#include "gui/app/PageStack.h"

namespace mantissa::gui {

PageStack::PageStack(const WindowParts& parts, PathChooser open_preset, QWidget* parent)
    : QStackedWidget(parent), from_{parts, std::move(open_preset), {}} {
  for (const PageRow& row : page_table()) {
    Page* page = row.make(from_, this);
    from_.made.push_back(page);
    addWidget(page);
  }
}

void PageStack::show_page(Page* page) {
  setCurrentWidget(page);
  emit chosen(page);
  page->brought_up();
}

Page* PageStack::page() const {
  return static_cast<Page*>(currentWidget());
}

}  // namespace mantissa::gui
