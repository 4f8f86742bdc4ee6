#pragma once

#include <QAction>
#include <QObject>

#include "engine/run/run.h"

namespace mantissa::gui {

/// The commands of a run, shared by menu, run bar and keyboard. Their availability depends on the
/// state alone.
class RunActions : public QObject {
  Q_OBJECT

 public:
  explicit RunActions(QObject* parent = nullptr);
  void set_state(RunState shown);
  /// What Start does: a new run, or that of Setup's "Continue a run".
  enum class Begin { new_run, resume, start_over };
  void set_begin(Begin begin);
  /// Whether there is an ended run with a folder.
  void set_outcome(bool there);

  QAction *start, *pause, *stop_save, *stop, *save, *sample, *check, *enqueue;
  /// Applies fixes for what blocks Start.
  QAction* fix_all;
  /// Sends changed live settings of the draft to the active run.
  QAction* apply_live;
  /// Actions of a run that has ended.
  QAction *open_folder, *go_on, *compare;

 private:
  bool over_ = true, outcome_ = false;
};

}  // namespace mantissa::gui
