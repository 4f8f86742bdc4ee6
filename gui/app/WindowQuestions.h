#pragma once

#include <QString>
#include <functional>

#include "gui/app/CloseSheet.h"
#include "gui/programs/AdapterCopier.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {

/// Questions the window asks. Each returns at once and calls back; tests answer without a dialog.
struct WindowQuestions {
  PathChooser open_preset, save_preset, import_preset, other_folder;
  enum class Answer { save, discard, cancel };
  std::function<void(QWidget*, const QString& text, std::function<void(Answer)>)> unsaved;
  /// What becomes of runs in progress when the window closes; no call back if it stays. `apart`
  /// can be chosen if `may_go_on`: the run continues in a process of its own.
  using Closing = gui::Closing;
  std::function<void(QWidget*, const QString& text, bool may_go_on, std::function<void(Closing)>)>
      closing;

  /// Calls back if the window may close although what the text names is lost.
  std::function<void(QWidget*, const QString& text, std::function<void()>)> lose;

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
