#include "gui/engine/AppSettings.h"

#include <QDir>
#include <QStandardPaths>

namespace mantissa::gui {
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

CardUse AppSettings::card_use() const {
  // The first versions knew two uses.
  const bool each = settings_.value("job/run_on_each", false).toBool();
  const QString name = text("job/card_use", each ? "each" : "together");
  return name == QLatin1String("each")    ? CardUse::each
         : name == QLatin1String("split") ? CardUse::split
                                          : CardUse::together;
}

void AppSettings::set_card_use(CardUse use) {
  settings_.setValue("job/card_use", use == CardUse::each    ? QStringLiteral("each")
                                     : use == CardUse::split ? QStringLiteral("split")
                                                             : QStringLiteral("together"));
}

void AppSettings::add_recent_file(const QString& file, const std::string& family) {
  constexpr int kKept = 10;
  QStringList files = recent_files();
  files.removeAll(file);
  files.prepend(file);
  files = files.mid(0, kKept);
  QVariantMap families;
  for (const QString& kept : files) {
    const std::string known = kept == file ? family : recent_family(kept);
    families.insert(kept, QString::fromStdString(known));
  }
  settings_.setValue("files/recent", files);
  settings_.setValue("files/recent_families", families);
}

std::string AppSettings::recent_family(const QString& file) const {
  return settings_.value("files/recent_families").toMap().value(file).toString().toStdString();
}

QStringList AppSettings::ignored_warnings(const QString& preset) const {
  return settings_.value("precision/ignored").toMap().value(preset).toStringList();
}

void AppSettings::set_ignored_warnings(const QString& preset, const QStringList& ids) {
  QVariantMap all = settings_.value("precision/ignored").toMap();
  if (ids.isEmpty()) {
    all.remove(preset);
  } else {
    all.insert(preset, ids);
  }
  settings_.setValue("precision/ignored", all);
}

QStringList AppSettings::left_runs() const {
  QStringList runs = settings_.value("run/left").toStringList();
  runs.removeAll(QString());
  return runs;
}

void AppSettings::add_left_run(const QString& folder) {
  QStringList runs = left_runs();
  if (!folder.isEmpty() && !runs.contains(folder)) {
    settings_.setValue("run/left", runs << folder);
  }
}

}  // namespace mantissa::gui
