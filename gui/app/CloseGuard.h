#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

class PresetFiles;

/// The window never closes over a run in progress or unsaved edits: it asks, saves, then closes.
class CloseGuard : public QObject {
  Q_OBJECT

 public:
  CloseGuard(const WindowFrame& frame, PresetFiles* files);

  /// Whether the window may close now; where not, it is asked, and closes by itself once it may.
  bool may_close();
  /// It closes as soon as the run has ended.
  bool is_closing() const { return after_run_; }

 private:
  void ask_to_stop();

  const WindowFrame& f_;
  PresetFiles* files_;
  bool after_run_ = false, settled_ = false;
};

}  // namespace mantissa::gui
