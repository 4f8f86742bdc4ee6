#pragma once

#include <QStackedWidget>

#include "gui/app/PageTable.h"

namespace mantissa::gui {

/// Every page of the table, one of them current.
class PageStack : public QStackedWidget {
  Q_OBJECT

 public:
  PageStack(const WindowParts& parts, PathChooser open_preset, QWidget* parent);

  void show_page(Page* page);
  Page* page() const;
  /// In the order of the table.
  const std::vector<Page*>& pages() const { return from_.made; }
  template <class P>
  P* get() const {
    return from_.page<P>();
  }

 signals:
  void chosen(mantissa::gui::Page* page);

 private:
  PageSources from_;
};

}  // namespace mantissa::gui
