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
  /// Something covers this much of the lower edge: pages leave it free, as far as they can do
  /// with less.
  void set_covered(int height);
  Page* page() const;
  /// In the order of the table.
  const std::vector<Page*>& pages() const { return from_.made; }
  template <class P>
  P* get() const {
    return from_.page<P>();
  }

 signals:
  void chosen(mantissa::gui::Page* page);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void leave_free();
  /// Qt scrolls to the focus only while it moves within an area, not when it enters one.
  void bring_into_view(QWidget* widget);

  PageSources from_;
  int covered_ = 0;
};

}  // namespace mantissa::gui
