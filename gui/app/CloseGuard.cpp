#include "gui/app/CloseGuard.h"

#include "gui/app/DraftKeeper.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/WindowQuestions.h"
#include "gui/engine/EngineClient.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/RunQueue.h"

namespace mantissa::gui {

CloseGuard::CloseGuard(QWidget* window, const WindowQuestions& ask, EngineClient* engine,
                       RunQueue* queue, const PresetDocument* document, PresetFiles* files,
                       DraftKeeper* keeper)
    : window_(window),
      ask_(ask),
      engine_(engine),
      queue_(queue),
      document_(document),
      files_(files),
      keeper_(keeper) {}

bool CloseGuard::may_close() {
  if (engine_->is_running() || queue_->running_beside() > 0) {
    if (!after_run_) {
      ask_to_stop();
    }
    return false;
  }
  const bool kept = keeper_->keep();
  if (!kept && document_->is_dirty() && !settled_) {
    after_run_ = false;
    files_->settle_unsaved([this] {
      settled_ = true;
      // Not from within a close in progress: Qt would treat it as the same one.
      QMetaObject::invokeMethod(window_, &QWidget::close, Qt::QueuedConnection);
    });
    return false;
  }
  return true;
}

void CloseGuard::ask_to_stop() {
  const int runs = queue_->running_beside() + (engine_->is_running() ? 1 : 0);
  const QString question =
      runs == 1 ? tr("A run is in progress. Stop it, save and quit?")
                : tr("%n run(s) are in progress. Stop, save and quit?", nullptr, runs);
  ask_.stop_running(window_, question, [this] {
    after_run_ = true;
    queue_->set_on(false);
    queue_->stop_beside();
    if (engine_->is_running()) {
      engine_->request_stop(RunControl::Stop::save);
    } else if (queue_->running_beside() == 0) {
      window_->close();
    }
  });
}

}  // namespace mantissa::gui
