#pragma once

#include <QDialog>
#include <QString>
#include <vector>

#include "gui/base/Theme.h"

namespace mantissa::gui {

struct ShortcutRow {
  QString group, keys, action;
};

/// Every key of the window: those of its menus and commands as configured, then those that plots,
/// tables and grids handle themselves.
std::vector<ShortcutRow> window_shortcuts(const QWidget* window);

/// The list of keys, with a search field. Closes with Escape; the window behind it stays usable.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  ShortcutsDialog(const QWidget* window, const Theme* theme, QWidget* parent);
};

}  // namespace mantissa::gui
