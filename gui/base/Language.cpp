#include "gui/base/Language.h"

#include <QApplication>
#include <QLocale>
#include <QTranslator>

#include "engine/core/paths.h"
#include "gui/base/Text.h"

namespace mantissa::gui {

std::span<const Language> languages() {
  static constexpr Language kLanguages[] = {
      {"en", "English", "English", QFontDatabase::Latin, ""},
      {"zh_CN", "简体中文", "Simplified Chinese", QFontDatabase::SimplifiedChinese,
       "没有任何已安装的字体包含简体中文字符。请安装 Noto Sans CJK 等字体，然后重新启动 "
       "Mantissa。"},
      {"ja", "日本語", "Japanese", QFontDatabase::Japanese,
       "日本語の文字を含むフォントがありません。Noto Sans CJK などをインストールして、Mantissa "
       "を再起動してください。"}};
  return kLanguages;
}

const Language* find_language(const QString& code) {
  const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
  for (const Language& language : languages()) {
    const QLocale its(QString::fromLatin1(language.code));
    // Traditional Chinese is none of ours.
    if (its.language() == locale.language() && its.script() == locale.script()) {
      return &language;
    }
  }
  return nullptr;
}

bool has_installed_font(QFontDatabase::WritingSystem script) {
  return !QFontDatabase::families(script).isEmpty();
}

QString font_hint(const Language& language, const HasScript& has_script) {
  if (has_script(language.script)) {
    return {};
  }
  // Not translated: whoever reads it may have no other language that can be drawn.
  return QStringLiteral(
             "No installed font has the characters of %1; they would be drawn as boxes. Install a "
             "font that has them, for example Noto Sans CJK (package fonts-noto-cjk), and start "
             "Mantissa again.\n%2")
      .arg(QString::fromLatin1(language.english_name), QString::fromUtf8(language.no_font));
}

bool load_language(QApplication& app, const QString& language) {
  QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
  if (!language.isEmpty() && locale.language() == QLocale::C) {
    return false;  // Qt knows no such language
  }
  // The sources are English; its file holds only singular and plural forms.
  const bool english = locale.language() == QLocale::English || locale.language() == QLocale::C;
  if (english) {
    locale = QLocale(QLocale::English);
  }
  for (QTranslator* before : app.findChildren<QTranslator*>(Qt::FindDirectChildrenOnly)) {
    QApplication::removeTranslator(before);
    delete before;
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
