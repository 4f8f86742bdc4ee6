#include "gui/base/EngineText.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "engine/core/message.h"
#include "engine/preset/schema.h"
#include "engine/preset/value_titles.h"
#include "gui/base/Text.h"
#include "gui/base/WindowWords.h"

namespace mantissa::gui {
namespace {

/// The precision catalogue's rows have a separate context.
std::string translated(const std::string& source) {
  const std::string found = QCoreApplication::translate("engine", source.c_str()).toStdString();
  return found == source ? QCoreApplication::translate("catalogue", source.c_str()).toStdString()
                         : found;
}

/// The window's name of a command-line option; empty if it has none.
QString field_of_option(const QString& option) {
  constexpr const char* kPanel = "mantissa::gui::JobPanel";
  using Core = QCoreApplication;
  return option == QLatin1String("base")         ? Core::translate(kPanel, "Base model")
         : option == QLatin1String("images")     ? Core::translate(kPanel, "Image folders")
         : option == QLatin1String("prior")      ? Core::translate(kPanel, "Prior images")
         : option == QLatin1String("validation") ? Core::translate(kPanel, "Validation images")
         : option == QLatin1String("references") ? Core::translate(kPanel, "References")
         : option == QLatin1String("training-adapter") ? Core::translate(kPanel, "Training adapter")
         : option == QLatin1String("out")              ? Core::translate(kPanel, "Run folder")
         : option == QLatin1String("device")           ? Core::translate(kPanel, "Device")
         : option == QLatin1String("split-cards")      ? Core::translate(kPanel, "Device")
         : option == QLatin1String("resume")           ? Core::translate(kPanel, "Continue a run")
                                                       : QString();
}

QString in_quotes(const QString& name) {
  return QCoreApplication::translate("EngineText", "“%1”").arg(name);
}

/// `text` with every match replaced by what `name` makes of it; an empty one stays.
template <typename Name>
QString replaced(const QString& text, const QRegularExpression& what, const Name& name) {
  QString out;
  qsizetype from = 0;
  for (auto it = what.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    const QString now = name(match);
    out += text.mid(from, match.capturedStart() - from) + (now.isEmpty() ? match.captured() : now);
    from = match.capturedEnd();
  }
  return out + text.mid(from);
}

/// Alternatives of an expression: the values that are no words of a sentence, as "auto" and
/// "linear" are.
QString unmistakable_values() {
  static const QRegularExpression digit(QStringLiteral("\\d"));
  QStringList values{QStringLiteral("gguf"), QStringLiteral("peft")};
  for (const ValueTitle& row : value_titles()) {
    if (const QString value = to_qstring(row.value); row.key.empty() && value.contains(digit)) {
      values << QRegularExpression::escape(value);
    }
  }
  return values.join(QLatin1Char('|'));
}

QString setting_name(const QRegularExpressionMatch& match) {
  const QString key = match.captured(1), value = match.captured(2);
  const Setting* setting = find_setting(key.toStdString());
  if (setting == nullptr) {
    return {};
  }
  const auto schema = [](std::string_view text) {
    return QCoreApplication::translate("schema", std::string(text).c_str());
  };
  const QString label = schema(setting->label);
  return in_quotes(value.isEmpty()
                       ? label
                       : QStringLiteral("%1: %2").arg(
                             label, schema(value_title(setting->key, value.toStdString()))));
}

}  // namespace

QString plain_words(const QString& said) {
  // No part of a path, a file's name or a longer word.
  static const QRegularExpression aside(QStringLiteral("\\s*[(（]--[a-z-]+[)）]")),
      setting(QStringLiteral("(?:--set )?(?<![\\w./\\\\-])([a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)+)"
                             "(?![\\w/\\\\])(?: ?= ?([a-z0-9_+]+(?:\\.[0-9]+)?))?")),
      tool(QStringLiteral("`mantissa (merge|extract|convert|resize|quantise|inspect)(?: [^`]*)?`")),
      option(QStringLiteral("(?<![\\w-])--([a-z-]+[a-z])(?![\\w=])")),
      value(QStringLiteral("(?<![\\w./\\\\\"-])(%1)(?![\\w/\\\\\"-]|\\.\\w)")
                .arg(unmistakable_values())),
      optimizer(QStringLiteral("(?<![\\w.])([a-z0-9_]+) \\((denoiser|te1|te2|vae|embeddings)\\)")),
      bytes(QStringLiteral("(\\d{5,}) ?(?:bytes|字节|バイト)")),
      amount(QStringLiteral("(?<![\\w./-])(\\d{7,})(?![\\w./-])"));
  const auto size = [](const QRegularExpressionMatch& match) {
    return format_bytes(match.captured(1).toULongLong());
  };
  QString text = said;
  text.remove(aside);
  text = replaced(text, tool, [](const QRegularExpressionMatch& match) {
    return in_quotes(QCoreApplication::translate(
        "engine", capitalised(match.captured(1)).toUtf8().constData()));  // its title
  });
  text = replaced(text, setting, setting_name);
  text = replaced(text, option, [](const QRegularExpressionMatch& match) {
    const QString field = field_of_option(match.captured(1));
    return field.isEmpty() ? QString() : in_quotes(field);
  });
  const auto title = [](const QString& word) {
    return QCoreApplication::translate("schema",
                                       std::string(value_title({}, word.toStdString())).c_str());
  };
  text = replaced(text, optimizer, [title](const QRegularExpressionMatch& match) {
    return QStringLiteral("%1 (%2)").arg(title(match.captured(1)), title(match.captured(2)));
  });
  text = replaced(text, value, [](const QRegularExpressionMatch& match) {
    return QCoreApplication::translate(
        "schema", std::string(value_title({}, match.captured(1).toStdString())).c_str());
  });
  if (bytes.match(text).hasMatch()) {
    text = replaced(replaced(text, bytes, size), amount, size);  // "…, 1234567 are free"
  }
  return text;
}

QString plain_text(const Message& message) {
  return plain_words(error_text(in_window_words(message)));
}

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

QString precision_text(const std::string& stored) {
  static const QString between = QStringLiteral(" / ");
  QStringList types;
  for (const QString& type : to_qstring(stored).split(between)) {
    types << QCoreApplication::translate("schema",
                                         std::string(value_title("", type.toStdString())).c_str());
  }
  return types.join(between);
}

}  // namespace mantissa::gui
