#include "gui/base/SystemTheme.h"

#include <QPalette>
#ifdef Q_OS_WIN
#include <QSettings>
#endif

namespace mantissa::gui {

#ifdef Q_OS_WIN

bool system_prefers_dark(const QPalette&) {  // Qt 6.4's is light whatever the user asked for
  const QSettings settings(
      QStringLiteral(
          "HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize"),
      QSettings::NativeFormat);
  return settings.value(QStringLiteral("AppsUseLightTheme"), 1).toInt() == 0;
}

#else

bool system_prefers_dark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightnessF() < 0.5;
}

#endif

}  // namespace mantissa::gui
