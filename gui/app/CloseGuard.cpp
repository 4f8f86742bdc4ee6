#include "gui/app/CloseGuard.h"

#include "gui/app/DraftKeeper.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/WindowQuestions.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/DataPage.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/RunQueue.h"

namespace mantissa::gui {

CloseGuard::CloseGuard(QWidget* window, const WindowQuestions& ask, EngineClient* engine,
                       RunQueue* queue, PresetFiles* files, DraftKeeper* keeper, DataPage* data)
    : window_(window),
      ask_(ask),
      engine_(engine),
      queue_(queue),
      files_(files),
      keeper_(keeper),
      data_(data) {}

bool CloseGuard::may_close() {
  if (runs_here() > 0) {
    if (wait_ == Wait::none) {
      ask_how();
    }
    return false;
  }
  if (ask_about_lost()) {
    return false;
  }
  const bool kept = keeper_->keep();
  if (!kept && files_->has_edits() && !settled_) {
    wait_ = Wait::none;
    files_->settle_unsaved([this] {
      settled_ = true;
      close_later();
    });
    return false;
  }
  return true;
}

/// Not from within a close in progress: Qt would treat it as the same one.
void CloseGuard::close_later() {
  QMetaObject::invokeMethod(window_, &QWidget::close, Qt::QueuedConnection);
}

bool CloseGuard::ask_about_lost() {
  if (data_->save() || may_lose_) {
    return false;
  }
  wait_ = Wait::none;
  const int captions = data_->book()->unsaved();
  const QString text =
      captions > 0 ? tr("%n caption(s) can't be written and will be lost.", nullptr, captions)
                   : tr("The painted mask can't be written and will be lost.");
  ask_.lose(window_, text, [this] {
    may_lose_ = true;
    close_later();
  });
  return true;
}

int CloseGuard::runs_here() const {
  const bool shown = engine_->is_running() && !engine_->is_apart();
  return queue_->running_beside() + (shown ? 1 : 0);
}

void CloseGuard::ask_how() {
  const int runs = runs_here();
  QString question =
      runs == 1 ? tr("A run is in progress.") : tr("%n run(s) are in progress.", nullptr, runs);
  const bool may_go_on = engine_->can_start_apart() && queue_->running_beside() == 0;
  if (const int waiting = queue_->waiting(); waiting > 0 && queue_->is_on()) {
    question +=
        QLatin1Char(' ') +
        (may_go_on && queue_->is_running_here()
             ? tr("%n run(s) wait in the queue. They start when the run that continues "
                  "without the window has ended and the studio is open again; if you stop "
                  "it, they wait until you start the queue.",
                  nullptr, waiting)
             : tr("%n run(s) wait in the queue until you start it again.", nullptr, waiting));
  }
  ask_.closing(window_, question, may_go_on, [this](WindowQuestions::Closing how) {
    const bool goes_on = how == WindowQuestions::Closing::apart && engine_->is_running();
    wait_ = goes_on ? Wait::hand_over : Wait::end;
    stop_runs();
  });
}

void CloseGuard::stop_runs() {
  if (wait_ == Wait::hand_over) {
    queue_->hand_over();
  } else {
    queue_->set_on(false);
  }
  queue_->stop_beside();
  if (engine_->is_running() && !engine_->is_apart()) {
    engine_->request_stop(RunControl::Stop::save);
  } else if (queue_->running_beside() == 0) {
    window_->close();
  }
}

}  // namespace mantissa::gui
