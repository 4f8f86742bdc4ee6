#include "gui/base/Language.h"

#include <QApplication>
#include <QLocale>
#include <QTranslator>

#include "engine/core/paths.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

bool load_language(QApplication& app, const QString& language) {
  QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
  // The sources are English; its file holds only singular and plural forms.
  const bool english = locale.language() == QLocale::English || locale.language() == QLocale::C;
  if (english) {
    locale = QLocale(QLocale::English);
  }
  const auto folder = find_resource("i18n");
  auto* words = new QTranslator(&app);
  if (!folder ||
      !words->load(locale, QStringLiteral("mantissa"), QStringLiteral("_"), path_text(*folder))) {
    delete words;
    return english;
  }
  QApplication::installTranslator(words);
  return true;
}

}  // namespace mantissa::gui
