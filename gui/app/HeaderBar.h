#pragma once

#include <QFrame>

#include "gui/base/Icons.h"

class QAction;
class QHBoxLayout;
class QLabel;

namespace mantissa::gui {

class ElideLabel;
class Theme;

/// Above the pages: the preset's name, whether it is saved, and buttons for a few commands.
class HeaderBar : public QFrame {
  Q_OBJECT

 public:
  HeaderBar(const Theme* theme, QWidget* parent);
  void set_preset(const QString& name, bool changed);
  void add_button(QAction* action, Icon icon);

 private:
  const Theme* theme_;
  QHBoxLayout* row_;
  ElideLabel* name_;
  QLabel* changed_;
};

}  // namespace mantissa::gui
