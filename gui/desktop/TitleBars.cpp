#include "gui/desktop/TitleBars.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

#include "gui/base/Theme.h"
#ifdef Q_OS_WIN
#include <windows.h>
// dwmapi.h needs windows.h first
#include <dwmapi.h>
#endif

namespace mantissa::gui {

TitleBars::TitleBars(QApplication& app, const Theme& theme, QObject* parent)
    : QObject(parent), theme_(theme) {
#ifdef Q_OS_WIN
  app.installEventFilter(this);
  connect(&theme, &Theme::changed, this, [this] {
    for (const QWidget* window : QApplication::topLevelWidgets()) {
      paint(*window);
    }
  });
#else
  Q_UNUSED(app)
#endif
}

bool TitleBars::eventFilter(QObject* object, QEvent* event) {
  // A window that is hidden and shown again, or gets another native window, starts light.
  if (event->type() == QEvent::Show || event->type() == QEvent::WinIdChange) {
    if (const auto* widget = qobject_cast<const QWidget*>(object)) {
      paint(*widget);
    }
  }
  return false;
}

void TitleBars::paint(const QWidget& window) const {
#ifdef Q_OS_WIN
  // A frame only; winId() would make a native window of a widget that has none yet.
  if (!window.isWindow() || window.internalWinId() == 0) {
    return;
  }
  constexpr DWORD kImmersiveDarkMode = 20, kBeforeWindows10Version2004 = 19;
  const auto handle = reinterpret_cast<HWND>(window.internalWinId());
  const BOOL dark = theme_.dark() ? TRUE : FALSE;
  if (FAILED(DwmSetWindowAttribute(handle, kImmersiveDarkMode, &dark, sizeof(dark)))) {
    DwmSetWindowAttribute(handle, kBeforeWindows10Version2004, &dark, sizeof(dark));
  }
#else
  Q_UNUSED(window)
#endif
}

}  // namespace mantissa::gui
