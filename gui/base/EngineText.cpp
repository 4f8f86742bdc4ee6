#include "gui/base/EngineText.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <optional>
#include <vector>

#include "engine/precision/catalogue.h"
#include "engine/precision/finding_phrases.h"
#include "engine/preset/schema.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

QString catalogue_text(std::string_view text) {
  return QCoreApplication::translate("catalogue", std::string(text).c_str());
}

/// Where the values of a template stand.
QRegularExpressionMatchIterator places(const QString& text) {
  static const QRegularExpression name(QStringLiteral("\\{([a-z][a-z0-9_]*)\\}"));
  return name.globalMatch(text);
}

/// The template as an expression that finds its values again.
QRegularExpression expression_of(const QString& text, const QString& tail) {
  QString pattern;
  QStringList known;
  qsizetype from = 0;
  for (auto it = places(text); it.hasNext();) {
    const QRegularExpressionMatch at = it.next();
    const QString name = at.captured(1);
    pattern += QRegularExpression::escape(text.mid(from, at.capturedStart() - from));
    pattern +=
        (known.contains(name) ? QStringLiteral("\\k<%1>") : QStringLiteral("(?<%1>.*?)")).arg(name);
    known << name;
    from = at.capturedEnd();
  }
  pattern += QRegularExpression::escape(text.mid(from));
  return QRegularExpression(QStringLiteral("\\A%1%2\\z").arg(pattern, tail),
                            QRegularExpression::DotMatchesEverythingOption);
}

QString value_of(const QString& value);

/// The translation with the values of a match.
QString filled(const QString& translation, const QRegularExpressionMatch& match) {
  QString out;
  qsizetype begin = 0;
  for (auto it = places(translation); it.hasNext();) {
    const QRegularExpressionMatch at = it.next();
    out += translation.mid(begin, at.capturedStart() - begin);
    out += value_of(match.captured(at.captured(1)));
    begin = at.capturedEnd();
  }
  return out + translation.mid(begin);
}

std::optional<QString> translated(std::string_view source, const QString& text,
                                  const QString& tail = {}, QString* rest = nullptr) {
  if (source.empty()) {
    return std::nullopt;
  }
  const QRegularExpressionMatch match = expression_of(to_qstring(source), tail).match(text);
  if (!match.hasMatch()) {
    return std::nullopt;
  }
  if (rest != nullptr) {
    *rest = match.captured(QStringLiteral("rest"));
  }
  return filled(catalogue_text(source), match);
}

struct Sentence {
  const char* source;
  QStringList words;  ///< between its values, in order; the first and the last may be empty
  QRegularExpression expression;

  /// Cheap and nearly exact: without it a line that nobody knows would cost milliseconds.
  bool may_be(const QString& line) const {
    if (!line.startsWith(words.front()) || !line.endsWith(words.back())) {
      return false;
    }
    qsizetype from = 0;
    for (const QString& part : words) {
      from = line.indexOf(part, from);
      if (from < 0) {
        return false;
      }
      from += part.size();
    }
    return true;
  }
};

QStringList words_of(const QString& text) {
  QStringList words;
  qsizetype from = 0;
  for (auto it = places(text); it.hasNext();) {
    const QRegularExpressionMatch at = it.next();
    words << text.mid(from, at.capturedStart() - from);
    from = at.capturedEnd();
  }
  return words << text.mid(from);
}

QString phrase_of(const QString& text) {
  static const std::vector<Sentence> all = [] {
    std::vector<Sentence> made;
    for (const std::string_view known : phrase::all) {
      const QString words = to_qstring(known);
      made.push_back({known.data(), words_of(words), expression_of(words, {})});
    }
    return made;
  }();
  for (const Sentence& sentence : all) {
    const auto match =
        sentence.may_be(text) ? sentence.expression.match(text) : QRegularExpressionMatch();
    if (match.hasMatch()) {
      return filled(catalogue_text(sentence.source), match);
    }
  }
  return engine_text(text);
}

/// "a.png (is empty (0 bytes); replace the file); b.png (…); and 3 more": names with their reasons.
std::optional<QString> items_of(const QString& value) {
  static const QRegularExpression between(QStringLiteral("; (?=\\S+ \\(|and [0-9]+ more\\z)")),
      item(QStringLiteral("\\A(\\S+) \\((.+)\\)\\z"));
  QStringList items = value.split(between);
  for (QString& text : items) {
    const QRegularExpressionMatch match = item.match(text);
    const QString said = match.hasMatch() ? QStringLiteral("%1 (%2)").arg(
                                                match.captured(1), phrase_of(match.captured(2)))
                                          : phrase_of(text);
    if (said == text) {
      return std::nullopt;
    }
    text = said;
  }
  return items.join(QCoreApplication::translate("catalogue", "; "));
}

/// A value may be a number, a name, a list of sentences, or one in brackets.
QString value_of(const QString& value) {
  if (!value.contains(QLatin1Char(' '))) {
    return value;
  }
  if (value.startsWith(QLatin1String(" (")) && value.endsWith(QLatin1Char(')'))) {
    return QStringLiteral(" (%1)").arg(phrase_of(value.mid(2, value.size() - 3)));
  }
  if (QString whole = phrase_of(value); whole != value) {
    return whole;
  }
  if (const auto items = items_of(value)) {
    return *items;
  }
  QStringList parts;
  for (const QString& part : value.split(to_qstring(phrase::between))) {
    parts << phrase_of(part);
  }
  return parts.join(QCoreApplication::translate("catalogue", "; "));
}

/// " (precision.compute fp16 -> bf16)"
QString changes_tail() {
  return QStringLiteral("(?<rest> \\([a-z_]+(?:\\.[a-z0-9_]+)+ .* -> .*\\))?");
}

std::optional<QString> message_of(const CatalogueEntry& entry, const QString& text,
                                  const QString& tail, QString* rest) {
  for (const std::string_view source : {entry.message, entry.refusal}) {
    if (auto found = translated(source, text, tail, rest)) {
      return found;
    }
  }
  return std::nullopt;
}

/// "S11: 3 skips in a row; … Fix: BF16 compute {"precision.compute":"bf16"}"
std::optional<QString> finding_line(const QString& line) {
  static const QRegularExpression id(QStringLiteral("\\A([A-Z][0-9]{1,2}): "));
  const QRegularExpressionMatch head = id.match(line);
  const CatalogueEntry* entry =
      head.hasMatch() ? find_catalogue_entry(head.captured(1).toStdString()) : nullptr;
  if (entry == nullptr) {
    return std::nullopt;
  }
  const QString body = line.mid(head.capturedEnd());
  QString rest;
  if (const auto adjusted = message_of(*entry, body, changes_tail(), &rest)) {
    return head.captured() + *adjusted + rest;
  }
  const auto found = message_of(*entry, body, QStringLiteral(" Fix: (?<rest>.*)"), &rest);
  if (!found) {
    return std::nullopt;
  }
  if (const QString way_out = to_qstring(entry->fix);
      !way_out.isEmpty() && rest.startsWith(way_out)) {
    rest = catalogue_text(entry->fix) + rest.mid(way_out.size());
  }
  return head.captured() + QCoreApplication::translate("catalogue", "%1 Fix: %2").arg(*found, rest);
}

/// All that is known: what has no values is looked up, the rest is tried one by one with
/// expressions made once, because a log has thousands of lines.
struct Known {
  QHash<QString, const char*> plain;
  std::vector<Sentence> filled;
};

const Known& known() {
  static const Known all = [] {
    Known made;
    for (const auto sentences : {engine_sentences(), import_sentences(), system_sentences()}) {
      for (const char* source : sentences) {
        const QString text = QString::fromUtf8(source);
        if (places(text).hasNext()) {
          made.filled.push_back({source, words_of(text), expression_of(text, {})});
        } else {
          made.plain.insert(text, source);
        }
      }
    }
    return made;
  }();
  return all;
}

std::optional<QString> sentence_of(const QString& line) {
  if (const char* source = known().plain.value(line)) {
    return QCoreApplication::translate("engine", source);
  }
  for (const Sentence& sentence : known().filled) {
    if (!sentence.may_be(line)) {
      continue;
    }
    const QRegularExpressionMatch match = sentence.expression.match(line);
    if (match.hasMatch()) {
      return filled(QCoreApplication::translate("engine", sentence.source), match);
    }
  }
  return finding_line(line);
}

/// "preset.json:12: adapter.rank is 0; it must be …", "photo.gif: the first of 3 frames is used"
std::optional<QString> placed_line(const QString& line) {
  static const QRegularExpression place(QStringLiteral("\\A.+?(?::[0-9]+|\\.[a-z0-9]+): "));
  const QRegularExpressionMatch head = place.match(line);
  const auto said = head.hasMatch() ? sentence_of(line.mid(head.capturedEnd())) : std::nullopt;
  return said ? std::optional(head.captured() + *said) : std::nullopt;
}

}  // namespace

QString finding_message(const Finding& finding) {
  const QString text = shown(to_qstring(finding.message));
  const CatalogueEntry* entry = find_catalogue_entry(finding.id);
  QString changes;
  return entry == nullptr ? text
                          : message_of(*entry, text, changes_tail(), &changes).value_or(text);
}

QString engine_text(const QString& said) {
  const QString text = shown(said);
  QStringList lines = text.split(QLatin1Char('\n'));
  if (lines.size() == 1) {
    const auto placed = placed_line(text);
    return placed ? *placed : sentence_of(text).value_or(text);
  }
  for (QString& line : lines) {
    line = engine_text(line);
  }
  const QString by_lines = lines.join(QLatin1Char('\n'));
  return by_lines != text ? by_lines : sentence_of(text).value_or(text);
}

QString error_text(const QString& text) {
  // Before a word in another script, a Latin one is a name.
  static const QRegularExpression word(
      QStringLiteral("\\A([a-z]+)(?:'[a-z]+)?(?: [\\x21-\\x7e]|[,;.] )"));
  QString said = engine_text(text);
  const QRegularExpressionMatch first = word.match(said);
  if (first.hasMatch() && find_setting(first.captured(1).toStdString()) == nullptr) {
    said[0] = said[0].toUpper();
  }
  return said;
}

}  // namespace mantissa::gui
