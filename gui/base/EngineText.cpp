#include "gui/base/EngineText.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "engine/core/message.h"
#include "engine/preset/schema.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

/// The precision catalogue's rows have a separate context.
std::string translated(const std::string& source) {
  const std::string found = QCoreApplication::translate("engine", source.c_str()).toStdString();
  return found == source ? QCoreApplication::translate("catalogue", source.c_str()).toStdString()
                         : found;
}

}  // namespace

QString message_text(const Message& message) {
  return shown(to_qstring(format_message(message, translated)));
}

QString error_text(const Message& message) {
  // Before a word in another script, a Latin one is a name.
  static const QRegularExpression word(
      QStringLiteral("\\A([a-z]+)(?:'[a-z]+)?(?: [\\x21-\\x7e]|[,;.] )"));
  QString said = message_text(message);
  const QRegularExpressionMatch first = word.match(said);
  if (first.hasMatch() && find_setting(first.captured(1).toStdString()) == nullptr) {
    said[0] = said[0].toUpper();
  }
  return said;
}

std::optional<ToldFinding> told_finding(const Message& error) {
  const auto value = [&](std::string_view name) -> const Message* {
    const auto names = place_names(error.source());
    const auto at = std::find(names.begin(), names.end(), name);
    return error.kind() != Message::Kind::filled || at == names.end()
               ? nullptr
               : &error.values()[static_cast<std::size_t>(at - names.begin())];
  };
  if (value("id") != nullptr && value("message") != nullptr && value("fix") != nullptr) {
    ToldFinding told{*value("message"), *value("fix"), {}};
    const Message* patch = value("patch");
    if (patch == nullptr && told.fix.text().starts_with('{')) {
      patch = value("fix");  // a change alone
      told.fix = {};
    }
    told.patch = patch != nullptr ? patch->text() : std::string();
    return told;
  }
  for (const Message& inner : error.values()) {
    if (auto told = told_finding(inner)) {
      return told;
    }
  }
  return std::nullopt;
}

}  // namespace mantissa::gui
