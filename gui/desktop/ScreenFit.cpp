#include "gui/desktop/ScreenFit.h"

#include <QApplication>
#include <QEvent>
#include <QScreen>
#include <QWidget>
#include <QWindow>
#include <algorithm>

namespace mantissa::gui {
namespace {

/// Before a window is shown, nobody knows its frame: a title bar of the usual height.
constexpr QMargins kUsualFrame(4, 36, 4, 4);

QMargins frame_of(const QWidget& window) {
  const QWindow* handle = window.windowHandle();
  const QMargins known = handle != nullptr ? handle->frameMargins() : QMargins();
  return known.top() > 0 ? known : kUsualFrame;
}

QRect room_of(const QWidget& window) {
  return window.screen()->availableGeometry().marginsRemoved(frame_of(window));
}

}  // namespace

ScreenFit::ScreenFit(QApplication& app, QObject* parent) : QObject(parent) {
  app.installEventFilter(this);
}

QSize ScreenFit::room(const QWidget& window) {
  return room_of(window).size();
}

void ScreenFit::fit(QWidget& window) {
  if (window.isMaximized() || window.isFullScreen()) {
    return;
  }
  const QRect room = room_of(window);
  if (window.minimumSize() != window.minimumSize().boundedTo(room.size())) {
    window.setMinimumSize(window.minimumSize().boundedTo(room.size()));
  }
  if (window.size() != window.size().boundedTo(room.size())) {
    window.resize(window.size().boundedTo(room.size()));
  }
  // One that was not placed yet is placed by the desktop, or over its parent.
  if (window.testAttribute(Qt::WA_Moved)) {
    const QRect now = window.geometry();
    const QPoint at(std::clamp(now.x(), room.left(), room.right() + 1 - now.width()),
                    std::clamp(now.y(), room.top(), room.bottom() + 1 - now.height()));
    if (at != now.topLeft()) {
      window.move(window.pos() + at - now.topLeft());
    }
  }
}

bool ScreenFit::eventFilter(QObject* object, QEvent* event) {
  auto* window = event->type() == QEvent::Show ? qobject_cast<QWidget*>(object) : nullptr;
  if (window == nullptr || !window->isWindow() ||
      (window->windowType() != Qt::Window && window->windowType() != Qt::Dialog)) {
    return false;
  }
  fit(*window);
  // Again with its own frame, and for dialogs that take their size while they are shown.
  QMetaObject::invokeMethod(
      window, [window] { fit(*window); }, Qt::QueuedConnection);
  return false;
}

}  // namespace mantissa::gui
