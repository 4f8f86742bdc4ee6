#include "gui/preset/SchemaText.h"

#include <QCoreApplication>
#include <QStringList>

#include "engine/preset/schema.h"
#include "engine/preset/value_titles.h"
#include "gui/base/Text.h"
#include "gui/widgets/SciSpin.h"

namespace mantissa::gui {
namespace {

/// Whether the setting's texts are names of choices, not the user's own words.
bool has_choices(const QString& key) {
  const Setting* setting = find_setting(key.toStdString());
  return setting == nullptr || !setting->choices.empty() || !setting->fields.empty();
}

QString whole_value(const QString& key, const nlohmann::json& value) {
  if (value.is_boolean()) {
    return value.get<bool>() ? QCoreApplication::translate("schema", "on")
                             : QCoreApplication::translate("schema", "off");
  }
  if (value.is_string()) {
    const QString text = to_qstring(value.get_ref<const std::string&>());
    return has_choices(key) ? choice_text(key, text) : text;
  }
  if (value.is_number_float()) {
    return format_exact(value.get<double>());
  }
  const auto joined = [&key](const auto& items) {
    QStringList texts;
    for (const auto& [name, item] : items) {
      texts << (name.isEmpty() ? whole_value(key, item)
                               : name + QStringLiteral(": ") + whole_value(key, item));
    }
    return texts.join(QStringLiteral(", "));
  };
  std::vector<std::pair<QString, nlohmann::json>> items;
  if (value.is_array()) {
    for (const auto& item : value) {
      items.emplace_back(QString(), item);
    }
  } else if (value.is_object()) {
    for (const auto& [name, item] : value.items()) {
      items.emplace_back(to_qstring(name), item);
    }
  } else {
    return to_qstring(value.dump());
  }
  return items.empty() ? QCoreApplication::translate("schema", "none") : joined(items);
}

}  // namespace

QString schema_text(std::string_view text) {
  return QCoreApplication::translate("schema", std::string(text).c_str());
}

QString setting_label(const QString& key) {
  const Setting* setting = find_setting(key.toStdString());
  return setting == nullptr ? key : schema_text(setting->label);
}

QString choice_text(const QString& key, const QString& choice) {
  return schema_text(value_title(key.toStdString(), choice.toStdString()));
}

QString value_text(const nlohmann::json& value, int max_length) {
  return value_text(QString(), value, max_length);
}

QString value_text(const QString& key, const nlohmann::json& value, int max_length) {
  QString text = whole_value(key, value);
  if (text.isEmpty()) {
    return QCoreApplication::translate("schema", "empty");
  }
  text.replace(QLatin1Char('\n'), QLatin1Char(' '));
  return text.size() > max_length ? text.left(max_length) + QStringLiteral("…") : text;
}

}  // namespace mantissa::gui
