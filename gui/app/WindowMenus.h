#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

class QAction;
class QMenu;
class QMenuBar;
class QUndoGroup;

namespace mantissa::gui {

class PresetFiles;

/// The menu bar. Commands of runs come from RunActions, pages from their table.
class WindowMenus : public QObject {
  Q_OBJECT

 public:
  WindowMenus(const WindowFrame& frame, PresetFiles* files, QUndoGroup* undo, QMenuBar* bar);

  /// Those with a button in the header too.
  QAction *open = nullptr, *save = nullptr, *undo = nullptr, *redo = nullptr;

 private:
  void add_file(QMenu* menu);
  void add_edit(QMenu* menu, QUndoGroup* undo);
  void add_run(QMenu* menu);
  void add_view(QMenu* menu);
  void add_help(QMenu* menu);
  void fill_recent();
  void fill_library();

  const WindowFrame& f_;
  PresetFiles* files_;
  QMenu *library_ = nullptr, *recent_ = nullptr;
};

}  // namespace mantissa::gui
