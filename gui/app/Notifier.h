#pragma once

#include <QObject>
#include <memory>

#include "gui/desktop/TaskbarProgress.h"

class QMainWindow;
class QSystemTrayIcon;

namespace mantissa::gui {

class EngineClient;
class RunData;
struct RunEnd;

/// Informs users of other windows: progress on the taskbar where there is one, and a
/// notification when a run ends while the window is not active.
class Notifier : public QObject {
  Q_OBJECT

 public:
  Notifier(EngineClient* engine, const RunData* data, QMainWindow* window,
           QObject* parent = nullptr);
  ~Notifier() override;

  /// Called a few times a second during a run.
  void update();
  /// Percent done; -1 without a run.
  int percent() const { return percent_; }

 signals:
  void percent_changed();
  /// A notification was shown.
  void told(const QString& text);

 private:
  void on_ended(const RunEnd& end);
  void tell(const QString& text, bool failed);

  EngineClient* engine_;
  const RunData* data_;
  QMainWindow* window_;
  TaskbarProgress taskbar_;
  std::unique_ptr<QSystemTrayIcon> tray_;
  int percent_ = -1;
};

}  // namespace mantissa::gui
