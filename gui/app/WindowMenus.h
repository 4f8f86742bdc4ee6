#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <utility>
#include <vector>

#include "gui/app/WindowFrame.h"

class QAction;
class QActionGroup;
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

  /// Commands with a button in the header too.
  QAction *open = nullptr, *save = nullptr, *undo = nullptr, *redo = nullptr;

 signals:
  /// The user wants another language; empty: the system's.
  void language_chosen(const QString& code);
  /// The user wants to choose whom a run's end is told.
  void notices_wanted();

 private:
  /// Takes the keys that the page has for itself from the menus while it is shown.
  void yield_keys(const QWidget* page);
  std::vector<QAction*> menu_actions() const;
  void add_file(QMenu* menu);
  void add_edit(QMenu* menu, QUndoGroup* undo);
  void add_run(QMenu* menu);
  void add_view(QMenu* menu);
  void add_help(QMenu* menu);
  /// All that a bug report needs.
  QString diagnostics_text() const;
  void add_languages(QMenu* menu);
  /// Says first if no font could draw it.
  void choose_language(const QString& code);
  void fill_recent();

  const WindowFrame& f_;
  PresetFiles* files_;
  QMenu* recent_ = nullptr;
  QActionGroup* languages_ = nullptr;
  QMenuBar* bar_;
  std::vector<std::pair<QAction*, QList<QKeySequence>>> yielded_;
};

}  // namespace mantissa::gui
