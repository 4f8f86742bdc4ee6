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
  /// What Continue does with the run that is shown: none ended there; from its checkpoint, from
  /// step 0, or, if all of its steps are done, with more of them.
  enum class Outcome { none, resume, start_over, more_steps };
  void set_outcome(Outcome outcome);
  /// All texts that an action has at times.
  QStringList texts(const QAction* action) const;

  QAction *start, *pause, *stop_save, *stop, *save, *sample, *check, *enqueue, *sweep;
  /// Applies fixes for what blocks Start.
  QAction* fix_all;
  /// Sends changed live settings of the draft to the active run.
  QAction* apply_live;
  /// Actions of a run that has ended.
  QAction *open_folder, *go_on, *compare;

 private:
  bool over_ = true;
  Outcome outcome_ = Outcome::none;
};

}  // namespace mantissa::gui
