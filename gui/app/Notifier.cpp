#include "gui/app/Notifier.h"

#include <QApplication>
#include <QMainWindow>
#include <QSystemTrayIcon>
#include <algorithm>

#include "gui/base/EngineText.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/RunData.h"

#ifdef MANTISSA_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#endif

namespace mantissa::gui {

void show_launcher_progress(int percent) {
#ifdef MANTISSA_DBUS
  // Without an address Qt would start its own bus.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) {
    return;
  }
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) {
    return;
  }
  QDBusMessage update = QDBusMessage::createSignal(
      QStringLiteral("/mantissa"), QStringLiteral("com.canonical.Unity.LauncherEntry"),
      QStringLiteral("Update"));
  update << QStringLiteral("application://mantissa-studio.desktop")
         << QVariantMap{{QStringLiteral("progress"), std::max(percent, 0) / 100.0},
                        {QStringLiteral("progress-visible"), percent >= 0}};
  bus.send(update);
#else
  Q_UNUSED(percent)
#endif
}

Notifier::Notifier(EngineClient* engine, const RunData* data, QMainWindow* window, QObject* parent)
    : QObject(parent), engine_(engine), data_(data), window_(window) {
  connect(engine_, &EngineClient::ended, this, &Notifier::on_ended);
  connect(engine_, &EngineClient::state_changed, this, &Notifier::update);
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
    show_launcher_progress(percent);
    emit percent_changed();
  }
}

void Notifier::on_ended(const RunEnd& end) {
  update();
  if (end.how == RunEnd::How::failed) {
    tell(tr("The run failed: %1").arg(message_text(end.message)), true);
  } else if (end.how == RunEnd::How::completed) {
    tell(tr("The run has finished."), false);
  }
}

void Notifier::tell(const QString& text, bool failed) {
  if (window_->isActiveWindow()) {
    return;  // the window shows it itself
  }
  QApplication::alert(window_);
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
