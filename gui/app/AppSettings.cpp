#include "gui/app/AppSettings.h"

#include <QDir>
#include <QStandardPaths>

namespace mantissa {
namespace {

QString settings_file(const QString& file) {
  if (!file.isEmpty()) {
    return file;
  }
  const QString home = qEnvironmentVariable("MANTISSA_HOME");
  if (!home.isEmpty()) {
    return QDir(home).filePath(QStringLiteral("studio.ini"));
  }
  return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation))
      .filePath(QStringLiteral("mantissa/studio.ini"));
}

}  // namespace

AppSettings::AppSettings(const QString& file)
    : settings_(settings_file(file), QSettings::IniFormat) {}

ThemeMode AppSettings::theme() const {
  const QString name = text("look/theme", "system");
  return name == QLatin1String("dark")    ? ThemeMode::dark
         : name == QLatin1String("light") ? ThemeMode::light
                                          : ThemeMode::system;
}

void AppSettings::set_theme(ThemeMode mode) {
  settings_.setValue("look/theme", mode == ThemeMode::dark    ? QStringLiteral("dark")
                                   : mode == ThemeMode::light ? QStringLiteral("light")
                                                              : QStringLiteral("system"));
}

}  // namespace mantissa
