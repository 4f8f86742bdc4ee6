#include "gui/run/LogText.h"

#include <QRegularExpression>
#include <QStringList>
#include <utility>
#include <vector>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/base/WindowWords.h"

namespace mantissa::gui {
namespace {

constexpr qsizetype kShortEnough = 40;
constexpr qsizetype kKept = 2;  ///< names at the end: a checkpoint and the file in it

/// Paths are values of their own, so one with blanks is found too.
Message with_short_paths(const Message& message) {
  if (message.kind() == Message::Kind::verbatim) {
    return Message::verbatim(shortened_path(to_qstring(message.source())).toStdString());
  }
  std::vector<Message> values;
  for (const Message& value : message.values()) {
    values.push_back(with_short_paths(value));
  }
  return message.kind() == Message::Kind::list ? Message::list(message.source(), std::move(values))
                                               : Message(message.source(), std::move(values));
}

/// With a capital, but not where a translation begins with another word, such as a device's name.
QString as_sentence(const Message& message) {
  const QString said = message_text(message), english = to_qstring(message.text());
  return said.left(1) == english.left(1) ? error_text(message) : said;
}

}  // namespace

QString shortened_path(const QString& path) {
  static const QRegularExpression whole(
      QStringLiteral("\\A(?:/|[A-Za-z]:[/\\\\]|\\\\\\\\)[^\\n]*\\z")),
      between(QStringLiteral("[/\\\\]"));
  if (path.size() <= kShortEnough || !whole.match(path).hasMatch()) {
    return path;
  }
  const QChar separator = path.contains(QLatin1Char('\\')) ? QLatin1Char('\\') : QLatin1Char('/');
  const QStringList names = path.split(between, Qt::SkipEmptyParts);
  if (names.size() <= kKept + 1) {
    return path;
  }
  const QString start = path.left(path.indexOf(names.front()) + names.front().size());
  return start + separator + QStringLiteral("…") + separator +
         names.mid(names.size() - kKept).join(separator);
}

QString whole_log_text(const Message& message) {
  return as_sentence(message);
}

QString short_log_text(const Message& message) {
  return plain_words(as_sentence(with_short_paths(in_window_words(message))));
}

}  // namespace mantissa::gui
