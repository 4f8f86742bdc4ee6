#pragma once

#include <QFontDatabase>
#include <QString>
#include <functional>
#include <span>

class QApplication;

namespace mantissa::gui {

/// A language with a translation, by its own name.
struct Language {
  const char* code;  ///< for load_language
  const char* name;  ///< UTF-8
  const char* english_name;
  QFontDatabase::WritingSystem script;
  const char* no_font;  ///< that no font has its characters, in that language; UTF-8
};
/// English first.
std::span<const Language> languages();
/// The language of a code, or the system's if it is empty; null if there is no translation.
const Language* find_language(const QString& code);

/// Whether some font has the characters of a script.
using HasScript = std::function<bool(QFontDatabase::WritingSystem)>;
bool has_installed_font(QFontDatabase::WritingSystem script);
/// Why `language` would be drawn as boxes and what to install, in English and in that language;
/// empty if a font has its characters.
QString font_hint(const Language& language, const HasScript& has_script);

/// Sets the program's language ("zh_CN", "ja"), in place of another; windows
/// made before keep theirs. Empty: the system's,
/// if translated. False if there is no translation; English stays.
bool load_language(QApplication& app, const QString& language);

}  // namespace mantissa::gui
