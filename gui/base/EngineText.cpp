#include "gui/base/EngineText.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/core/message_format.h"
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

}  // namespace mantissa::gui
