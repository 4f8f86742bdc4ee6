#include "gui/base/EngineText.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "engine/preset/schema.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

/// The precision catalogue's rows have a context of their own.
QString translated(const std::string& source) {
  const QString found = QCoreApplication::translate("engine", source.c_str());
  return found == to_qstring(source) ? QCoreApplication::translate("catalogue", source.c_str())
                                     : found;
}

QString raw_text(const Message& message) {
  if (message.kind() == Message::Kind::verbatim) {
    return to_qstring(message.source());
  }
  const QString words = translated(message.source());
  if (message.kind() == Message::Kind::list) {
    QStringList items;
    for (const Message& item : message.values()) {
      items << raw_text(item);
    }
    return items.join(words);
  }
  // A translation may put the names in another order.
  std::vector<QString> values;
  for (const Message& value : message.values()) {
    values.push_back(raw_text(value));
  }
  const std::vector<std::string_view> names = place_names(message.source());
  const std::string text = words.toStdString();
  QString out;
  std::size_t from = 0;
  for (MessagePlace p = next_place(text, 0); p.begin != std::string_view::npos;
       p = next_place(text, p.end)) {
    out += QString::fromUtf8(text.data() + from, static_cast<qsizetype>(p.begin - from));
    const auto at =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), p.name) - names.begin());
    if (at < values.size()) {
      out += values[at];
    }
    from = p.end;
  }
  return out + QString::fromUtf8(text.data() + from, static_cast<qsizetype>(text.size() - from));
}

}  // namespace

QString message_text(const Message& message) {
  return shown(raw_text(message));
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
