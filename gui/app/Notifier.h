#pragma once

#include <QObject>
#include <memory>

class QMainWindow;
class QSystemTrayIcon;

namespace mantissa::gui {

class EngineClient;
class RunData;
struct RunEnd;

/// Informs users of other windows: progress on the taskbar if the desktop supports it, and a
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
  std::unique_ptr<QSystemTrayIcon> tray_;
  int percent_ = -1;
};

/// Progress on the launcher's icon, on desktops that know Canonical's LauncherEntry signal (GNOME
/// with a dock, KDE, Cinnamon). percent < 0 removes it. No effect elsewhere.
void show_launcher_progress(int percent);

}  // namespace mantissa::gui
