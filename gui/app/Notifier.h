#pragma once

#include <QObject>
#include <memory>

class QMainWindow;
class QSystemTrayIcon;

namespace mantissa::gui {

class EngineClient;
class RunData;
struct RunEnd;

/// Tells people who look elsewhere: progress on the taskbar where the desktop shows it, and a
/// notice when a run ends while the window is not in front.
class Notifier : public QObject {
  Q_OBJECT

 public:
  Notifier(EngineClient* engine, const RunData* data, QMainWindow* window,
           QObject* parent = nullptr);
  ~Notifier() override;

  /// Called a few times a second while a run goes on.
  void update();
  /// Per cent done; -1 while no run goes on.
  int percent() const { return percent_; }

 signals:
  void percent_changed();
  /// A notice was given.
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
/// with a dock, KDE, Cinnamon). percent < 0 takes it away. Nothing happens elsewhere.
void show_launcher_progress(int percent);

}  // namespace mantissa::gui
