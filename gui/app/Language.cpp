#include "gui/app/Language.h"

#include <QApplication>
#include <QLocale>
#include <QTranslator>

#include "engine/core/paths.h"
#include "gui/app/Text.h"

namespace mantissa {

bool load_language(QApplication& app, const QString& language) {
  const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
  if (locale.language() == QLocale::English || locale.language() == QLocale::C) {
    return true;
  }
  const auto folder = find_resource("i18n");
  auto* words = new QTranslator(&app);
  if (!folder ||
      !words->load(locale, QStringLiteral("mantissa"), QStringLiteral("_"), path_text(*folder))) {
    delete words;
    return false;
  }
  QApplication::installTranslator(words);
  return true;
}

}  // namespace mantissa
