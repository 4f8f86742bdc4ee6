#pragma once

#include <QObject>
#include <memory>

class QAction;
class QMenu;
class QSystemTrayIcon;
class QWidget;

namespace mantissa::gui {

/// The program's icon in the notification area while a run is in progress: its progress as a
/// tooltip, and a menu with what a run can be told. A click brings the window back. No effect on
/// desktops without such an area.
class TrayIcon : public QObject {
  Q_OBJECT

 public:
  /// `actions`: the run's, for the menu.
  TrayIcon(QWidget* window, const QList<QAction*>& actions, QObject* parent = nullptr);
  ~TrayIcon() override;

  /// Shows the icon with this text, or hides it if the text is empty.
  void show_run(const QString& text);
  /// Shows a notification; false if the desktop shows none.
  bool show_message(const QString& text, bool failed);
  /// What is shown, or would be with a notification area.
  QString text() const { return text_; }
  QMenu* menu() const { return menu_.get(); }
  /// Shows the window in front of others.
  void bring_back();

 private:
  QSystemTrayIcon* icon();

  QWidget* window_;
  std::unique_ptr<QMenu> menu_;
  std::unique_ptr<QSystemTrayIcon> icon_;
  QString text_;
};

}  // namespace mantissa::gui
