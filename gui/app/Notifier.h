#pragma once

#include <QObject>

#include "engine/notify/run_notice.h"
#include "gui/desktop/TaskbarProgress.h"
#include "gui/desktop/TrayIcon.h"

class QMainWindow;

namespace mantissa {
struct JobSpec;
}

namespace mantissa::gui {

class AppSettings;
class EngineClient;
class RunActions;
class RunData;
struct RunEnd;

/// Informs users of other windows and places: progress on the taskbar and in the notification area,
/// a notification when a run ends while the window is not active, and a notice posted to the
/// address of the settings. A run that the user stops is told to nobody.
class Notifier : public QObject {
  Q_OBJECT

 public:
  /// `actions`: what the icon in the notification area offers.
  Notifier(EngineClient* engine, const RunData* data, const AppSettings* settings,
           const RunActions& actions, QMainWindow* window, QObject* parent = nullptr);
  ~Notifier() override;

  /// Called a few times a second during a run.
  void update();
  /// Percent done; -1 without a run.
  int percent() const { return percent_; }
  /// Tells the end of a run of `job`.
  void tell_end(const RunEnd& end, const JobSpec& job);
  /// Shows a notification of the desktop, if it has any.
  bool show_on_desktop(const QString& text, bool failed) {
    return tray_.show_message(text, failed);
  }
  const TrayIcon& tray() const { return tray_; }

 signals:
  void percent_changed();
  /// A notification was shown.
  void told(const QString& text);
  /// A notice was posted, or it could not be.
  void posted();
  void undelivered(const Message& why);

 private:
  void tell(const QString& text, bool failed);
  void post(const RunNotice& notice);

  EngineClient* engine_;
  const RunData* data_;
  const AppSettings* settings_;
  QMainWindow* window_;
  TaskbarProgress taskbar_;
  TrayIcon tray_;
  int percent_ = -1;
};

}  // namespace mantissa::gui
