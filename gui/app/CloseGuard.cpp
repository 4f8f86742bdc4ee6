#include "gui/app/CloseGuard.h"

#include "gui/app/DraftKeeper.h"
#include "gui/app/PresetFiles.h"
#include "gui/engine/EngineClient.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/RunQueue.h"

namespace mantissa::gui {

CloseGuard::CloseGuard(const WindowFrame& frame, PresetFiles* files, DraftKeeper* keeper)
    : f_(frame), files_(files), keeper_(keeper) {}

bool CloseGuard::may_close() {
  if (f_.parts.engine->is_running() || f_.queue->running_beside() > 0) {
    if (!after_run_) {
      ask_to_stop();
    }
    return false;
  }
  const bool kept = keeper_->keep();
  if (!kept && f_.parts.document->is_dirty() && !settled_) {
    after_run_ = false;
    files_->settle_unsaved([this] {
      settled_ = true;
      // Not from within a close in progress: Qt would treat it as the same one.
      QMetaObject::invokeMethod(f_.window, &QWidget::close, Qt::QueuedConnection);
    });
    return false;
  }
  return true;
}

void CloseGuard::ask_to_stop() {
  const int runs = f_.queue->running_beside() + (f_.parts.engine->is_running() ? 1 : 0);
  const QString question =
      runs == 1 ? tr("A run is in progress. Stop it, save and quit?")
                : tr("%n run(s) are in progress. Stop, save and quit?", nullptr, runs);
  f_.ask.stop_running(f_.window, question, [this] {
    after_run_ = true;
    f_.queue->set_on(false);
    f_.queue->stop_beside();
    if (f_.parts.engine->is_running()) {
      f_.parts.engine->request_stop(RunControl::Stop::save);
    } else if (f_.queue->running_beside() == 0) {
      f_.window->close();
    }
  });
}

}  // namespace mantissa::gui
