#pragma once

#include <QObject>

#include "engine/run/run.h"
#include "gui/app/WindowFrame.h"
#include "gui/run/PhaseClock.h"

namespace mantissa::gui {

struct RunEnd;

/// The run's status, shown by the run bar, the enabled commands, and the Train page.
class RunStatus : public QObject {
  Q_OBJECT

 public:
  explicit RunStatus(const WindowFrame& frame);

  /// The folder of the run on the Train page that is not in progress; empty if there is none.
  const QString& shown_run() const { return shown_run_; }
  /// `finished`: all of its steps are done.
  void set_shown_run(const QString& folder, bool finished);
  /// An earlier run is on the Train page: nothing of the last one is said any more.
  void show_earlier(const QString& folder, bool finished);
  bool is_finished() const { return finished_; }
  /// Whether that run was trained in this session, so that the draft is usually its preset.
  bool ran_here() const { return ran_here_; }
  /// A run is about to start: clears the previous one's status.
  void clear();
  /// The run bar's text next to the state.
  void update_details();

 signals:
  void shown_run_changed();
  /// The result of the run that ended is to be shown.
  void result_wanted();
  /// A run has ended, and all of it is shown.
  void ended(bool failed);

 private:
  void update();
  /// The state that the bar tells: of the run in progress, or of the shown one if it ended here.
  RunState state() const;
  void finish(const RunEnd& end);
  void on_progress(RunPhase phase, qint64 done, qint64 total);
  QStringList running_details() const;

  const WindowFrame& f_;
  QString shown_run_;
  bool finished_ = false, ran_here_ = false, earlier_ = false;
  QString end_text_;
  PhaseClock phase_;
};

}  // namespace mantissa::gui
