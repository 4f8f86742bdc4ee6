#include "gui/app/Notifier.h"

#include <QApplication>
#include <QMainWindow>
#include <QSystemTrayIcon>
#include <algorithm>

#include "gui/base/EngineText.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/RunData.h"

namespace mantissa::gui {

Notifier::Notifier(EngineClient* engine, const RunData* data, QMainWindow* window, QObject* parent)
    : QObject(parent), engine_(engine), data_(data), window_(window), taskbar_(window) {
  connect(engine_, &EngineClient::ended, this, &Notifier::on_ended);
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
    emit percent_changed();
  }
}

void Notifier::on_ended(const RunEnd& end) {
  update();
  if (end.how == RunEnd::How::failed) {
    tell(tr("The run failed: %1").arg(plain_words(message_text(end.failure.message))), true);
  } else if (end.how == RunEnd::How::completed) {
    tell(tr("The run has finished."), false);
  }
}

void Notifier::tell(const QString& text, bool failed) {
  if (window_->isActiveWindow()) {
    return;  // the window shows it itself
  }
  QApplication::alert(window_);
  if (failed) {
    taskbar_.show_failure();
  }
  if (QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages()) {
    if (!tray_) {
      tray_ = std::make_unique<QSystemTrayIcon>(window_->windowIcon());
      connect(tray_.get(), &QSystemTrayIcon::messageClicked, window_, [this] {
        window_->show();
        window_->raise();
        window_->activateWindow();
      });
    }
    tray_->show();
    tray_->showMessage(QStringLiteral("Mantissa"), text,
                       failed ? QSystemTrayIcon::Warning : QSystemTrayIcon::Information);
  }
  emit told(text);
}

}  // namespace mantissa::gui
