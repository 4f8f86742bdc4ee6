#include "gui/desktop/TrayIcon.h"

#include <QAction>
#include <QMenu>
#include <QSystemTrayIcon>
#include <QWidget>

namespace mantissa::gui {

TrayIcon::TrayIcon(QWidget* window, const QList<QAction*>& actions, QObject* parent)
    : QObject(parent), window_(window), menu_(std::make_unique<QMenu>()) {
  connect(menu_->addAction(tr("Show the window")), &QAction::triggered, this,
          &TrayIcon::bring_back);
  menu_->addSeparator();
  menu_->addActions(actions);
}

TrayIcon::~TrayIcon() = default;

void TrayIcon::bring_back() {
  window_->setWindowState(window_->windowState() & ~Qt::WindowMinimized);
  window_->show();
  window_->raise();
  window_->activateWindow();
}

QSystemTrayIcon* TrayIcon::icon() {
  if (!icon_ && QSystemTrayIcon::isSystemTrayAvailable()) {
    icon_ = std::make_unique<QSystemTrayIcon>(window_->windowIcon());
    icon_->setContextMenu(menu_.get());
    connect(icon_.get(), &QSystemTrayIcon::messageClicked, this, &TrayIcon::bring_back);
    connect(icon_.get(), &QSystemTrayIcon::activated, this,
            [this](QSystemTrayIcon::ActivationReason reason) {
              if (reason != QSystemTrayIcon::Context) {
                bring_back();
              }
            });
  }
  return icon_.get();
}

void TrayIcon::show_run(const QString& text) {
  if (text == text_) {
    return;
  }
  text_ = text;
  if (QSystemTrayIcon* shown = text.isEmpty() ? icon_.get() : icon()) {
    shown->setToolTip(text);
    shown->setVisible(!text.isEmpty());
  }
}

bool TrayIcon::show_message(const QString& text, bool failed) {
  if (icon() == nullptr || !QSystemTrayIcon::supportsMessages()) {
    return false;
  }
  icon_->show();  // a message needs it, also after the run
  icon_->showMessage(QStringLiteral("Mantissa"), text,
                     failed ? QSystemTrayIcon::Warning : QSystemTrayIcon::Information);
  return true;
}

}  // namespace mantissa::gui
