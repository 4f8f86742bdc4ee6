#include "gui/run/RunActions.h"

namespace mantissa::gui {

RunActions::RunActions(QObject* parent) : QObject(parent) {
  const auto make = [this](const QString& text, const QKeySequence& keys, const QString& tip) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    action->setToolTip(keys.isEmpty() ? tip
                                      : QStringLiteral("%1 (%2)").arg(
                                            tip, keys.toString(QKeySequence::NativeText)));
    return action;
  };
  check = make(tr("Check"), Qt::Key_F4, tr("Check memory and precision without training"));
  start = make(tr("Start"), Qt::Key_F5, tr("Start training"));
  pause = make(tr("Pause"), Qt::Key_F6, tr("Pause after this step; the model stays loaded"));
  stop_save = make(tr("Stop && save"), Qt::SHIFT | Qt::Key_F5,
                   tr("Stop after this step and save, so that the run can be continued"));
  stop = make(tr("Stop"), Qt::CTRL | Qt::SHIFT | Qt::Key_F5,
              tr("Stop after this step; what was saved before stays"));
  save = make(tr("Save now"), Qt::Key_F7, tr("Write a checkpoint after this step"));
  sample = make(tr("Sample now"), Qt::Key_F8, tr("Render the sample prompts after this step"));
  enqueue = make(tr("Add to queue"), Qt::Key_F9,
                 tr("Put this preset and these paths at the end of the queue of runs"));
  sweep = make(tr("Sweep…"), Qt::SHIFT | Qt::Key_F9,
               tr("Put runs at the end of the queue that differ in one or two settings"));
  apply_live = make(tr("Apply changes"), {},
                    tr("Apply a changed learning rate or step count, and changed saving and "
                       "sampling intervals, to the current run"));
  apply_live->setEnabled(false);
  fix_all = make(tr("Apply safe fixes…"), {}, tr("Shows every change before anything is applied"));
  fix_all->setEnabled(false);
  open_folder = make(tr("Open folder"), {}, tr("Show what the run wrote"));
  go_on = make(tr("Continue…"), {}, tr("Continue the run that is shown, with its own settings"));
  compare = make(tr("Compare"), {}, tr("Compare this run with others, on the History page"));
  set_state(RunState::idle);
}

void RunActions::set_begin(Begin begin) {
  start->setText(begin == Begin::new_run  ? tr("Start")
                 : begin == Begin::resume ? tr("Resume")
                                          : tr("Start over"));
}

void RunActions::set_outcome(Outcome outcome) {
  outcome_ = outcome;
  go_on->setText(outcome == Outcome::resume       ? tr("Resume")
                 : outcome == Outcome::start_over ? tr("Start over")
                                                  : tr("Continue…"));
  for (QAction* action : {open_folder, go_on, compare}) {
    action->setEnabled(over_ && outcome_ != Outcome::none);
  }
}

QStringList RunActions::texts(const QAction* action) const {
  return action == start   ? QStringList{tr("Start"), tr("Resume"), tr("Start over")}
         : action == pause ? QStringList{tr("Pause"), tr("Resume")}
         : action == stop  ? QStringList{tr("Stop"), tr("Cancel")}
         : action == go_on ? QStringList{tr("Resume"), tr("Start over"), tr("Continue…")}
                           : QStringList{action->text()};
}

void RunActions::set_state(RunState s) {
  const bool over = s == RunState::idle || s == RunState::finished || s == RunState::failed;
  const bool paused = s == RunState::paused, training = s == RunState::training;
  over_ = over;
  set_outcome(outcome_);
  start->setEnabled(over);
  check->setEnabled(over);
  pause->setEnabled(training || paused);
  pause->setText(paused ? tr("Resume") : tr("Pause"));
  // While waiting for a pause, the user may still stop.
  const bool stoppable = training || paused || s == RunState::pausing;
  stop_save->setEnabled(stoppable);
  stop->setEnabled(stoppable || s == RunState::preparing);
  stop->setText(s == RunState::preparing ? tr("Cancel") : tr("Stop"));
  save->setEnabled(training || paused);
  sample->setEnabled(training || paused);
}

}  // namespace mantissa::gui
