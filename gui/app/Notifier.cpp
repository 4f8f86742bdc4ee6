#include "gui/app/Notifier.h"

#include <QApplication>
#include <QMainWindow>
#include <algorithm>

#include "engine/core/paths.h"
#include "engine/notify/notice_post.h"
#include "engine/run/run_name.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/WindowWords.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/EngineClient.h"
#include "gui/engine/NoticeTask.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunData.h"

namespace mantissa::gui {

namespace {

RunNotice notice_of(const RunEnd& end, const JobSpec& job) {
  RunNotice notice{.name = run_name(job.preset),
                   .run_id = end.result.run_id,
                   .folder = path_to_utf8(end.result.folder),
                   .adapter = path_to_utf8(end.result.adapter),
                   .steps = end.result.steps,
                   .loss = end.result.final_loss};
  if (end.how == RunEnd::How::failed) {
    set_failure(notice, end.failure);
  }
  return notice;
}

}  // namespace

Notifier::Notifier(EngineClient* engine, const RunData* data, const AppSettings* settings,
                   const RunActions& actions, QMainWindow* window, QObject* parent)
    : QObject(parent),
      engine_(engine),
      data_(data),
      settings_(settings),
      window_(window),
      taskbar_(window),
      tray_(window, {actions.pause, actions.save, actions.sample, actions.stop_save}) {
  connect(engine_, &EngineClient::ended, this, [this](const RunEnd& end) {
    update();
    tell_end(end, engine_->job());
  });
  connect(engine_, &EngineClient::state_changed, this, &Notifier::update);
  connect(qApp, &QGuiApplication::applicationStateChanged, this,
          [this](Qt::ApplicationState state) {
            if (state == Qt::ApplicationActive && percent_ < 0) {
              taskbar_.show(-1);  // a failure is seen now
            }
          });
}

Notifier::~Notifier() = default;

void Notifier::update() {
  int percent = -1;
  if (engine_->is_running() && data_->total_steps() > 0) {
    percent = static_cast<int>(
        std::clamp<std::int64_t>(100 * data_->step() / data_->total_steps(), 0, 100));
  }
  if (percent != percent_) {
    percent_ = percent;
    taskbar_.show(percent);
    tray_.show_run(percent < 0 || !settings_->desktop_notices()
                       ? QString()
                       : tr("%1: %2").arg(to_qstring(run_name(engine_->job().preset)),
                                          percent_text(QString::number(percent))));
    emit percent_changed();
  }
}

void Notifier::tell_end(const RunEnd& end, const JobSpec& job) {
  if (end.how == RunEnd::How::stopped) {
    return;
  }
  const bool failed = end.how == RunEnd::How::failed;
  tell(failed ? tr("The run failed: %1")
                    .arg(plain_words(message_text(in_window_words(end.failure.message))))
              : tr("The run has finished."),
       failed);
  post(notice_of(end, job));
}

void Notifier::tell(const QString& text, bool failed) {
  if (window_->isActiveWindow()) {
    return;  // the window shows it itself
  }
  if (failed) {
    taskbar_.show_failure();
  }
  if (!settings_->desktop_notices()) {
    return;
  }
  QApplication::alert(window_);
  show_on_desktop(text, failed);
  emit told(text);
}

void Notifier::post(const RunNotice& notice) {
  const QString address = settings_->notice_address();
  if (address.isEmpty()) {
    return;
  }
  auto* task = new NoticeTask(this);  // one each: several runs may end at a time
  connect(task, &NoticeTask::delivered, this, &Notifier::posted);
  connect(task, &NoticeTask::delivered, task, &QObject::deleteLater);
  connect(task, &ThreadTask::failed, this, &Notifier::undelivered);
  connect(task, &ThreadTask::failed, task, &QObject::deleteLater);
  task->start(address, notice);
}

}  // namespace mantissa::gui
