#pragma once

#include <QString>
#include <functional>

#include "gui/programs/AdapterCopier.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {

/// Questions the window asks. Each returns at once and calls back; tests answer without a dialog.
struct WindowQuestions {
  PathChooser open_preset, save_preset, import_preset, other_folder;
  enum class Answer { save, discard, cancel };
  std::function<void(QWidget*, const QString& text, std::function<void(Answer)>)> unsaved;
  /// Calls back if the run should stop, be saved, and the window close.
  std::function<void(QWidget*, const QString& text, std::function<void()>)> stop_running;

  enum class Stop { save, discard };
  /// How to stop a run that has unsaved steps; no call back if it should continue. Returns the open
  /// dialog, to be closed once the question is pointless; null if there is none.
  std::function<QWidget*(QWidget*, const QString& text, std::function<void(Stop)>)> how_to_stop;

  /// Calls back if the named files may be moved to the trash.
  std::function<void(QWidget*, const QString& text, std::function<void()>)> move_to_trash;

  /// A program's folder of LoRA files, and what to do about another file in it of the same name.
  AdapterCopier::AskFolder adapter_folder;
  AdapterCopier::AskTaken name_taken;

  static WindowQuestions with_dialogs();
};

}  // namespace mantissa::gui
