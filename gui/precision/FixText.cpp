#include "gui/precision/FixText.h"

#include <QCoreApplication>
#include <QStringList>
#include <nlohmann/json.hpp>

#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"
#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"

namespace mantissa::gui {
namespace {

constexpr int kLongestValue = 40;  ///< letters
constexpr int kNamed = 3;          ///< changes that a button names

nlohmann::json patch_of(const std::string& patch_json) {
  nlohmann::json patch = nlohmann::json::parse(patch_json, nullptr, false);
  return patch.is_object() ? patch : nlohmann::json::object();
}

}  // namespace

QString change_text(const std::string& patch_json) {
  const nlohmann::json patch = patch_of(patch_json);
  if (patch.size() > kNamed) {
    return QCoreApplication::translate("mantissa::gui::SchemaForm", "%n changed", nullptr,
                                       static_cast<int>(patch.size()));
  }
  QStringList changes;
  for (const auto& [key, value] : patch.items()) {
    const QString name = to_qstring(key);
    changes << QStringLiteral("%1 → %2").arg(setting_label(name),
                                             value_text(name, value, kLongestValue));
  }
  return changes.join(QStringLiteral(", "));
}

QString changes_text(const std::string& patch_json, const Preset& now) {
  QStringList lines;
  const nlohmann::json patch = patch_of(patch_json);
  for (const auto& [key, value] : patch.items()) {
    const QString name = to_qstring(key);
    const QString before = find_setting(key) == nullptr
                               ? QString()
                               : value_text(name, get_setting(now, key), kLongestValue);
    lines << QStringLiteral("%1: %2 → %3")
                 .arg(setting_label(name), before, value_text(name, value, kLongestValue));
  }
  return lines.join(QLatin1Char('\n'));
}

QString fix_name(const QString& id, const std::string& patch_json) {
  return find_catalogue_entry(id.toStdString()) != nullptr ? id : change_text(patch_json);
}

}  // namespace mantissa::gui
