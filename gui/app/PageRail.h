#pragma once

#include <QFrame>

namespace mantissa::gui {

class PageStack;
class Theme;

/// The rail at the left: a button for every page.
class PageRail : public QFrame {
  Q_OBJECT

 public:
  PageRail(PageStack* pages, const Theme* theme, QWidget* parent);
};

}  // namespace mantissa::gui
