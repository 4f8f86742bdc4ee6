#include "gui/preset/Sweep.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/schema.h"
#include "gui/base/Text.h"

namespace mantissa::gui {
namespace {

constexpr int kValueLetters = 16;  ///< of a value in a name

bool is_single(mantissa::Kind kind) {
  return kind == mantissa::Kind::boolean || kind == mantissa::Kind::integer ||
         kind == mantissa::Kind::number || kind == mantissa::Kind::choice;
}

bool is_of_training(Group group) {
  return group != Group::about && group != Group::model && group != Group::output &&
         group != Group::samples;
}

/// "learning_rate-0.0002": part of a file's name.
QString value_name(const SweptSetting& setting, const nlohmann::json& value) {
  static const QRegularExpression other(QStringLiteral("[^A-Za-z0-9._+-]+"));
  const QString key = to_qstring(setting.key).section(QLatin1Char('.'), -1);
  QString text =
      value.is_string() ? to_qstring(value.get<std::string>()) : to_qstring(value.dump());
  return key + QLatin1Char('-') + text.replace(other, QStringLiteral("_")).left(kValueLetters);
}

Preset with_value(Preset preset, const SweptSetting& setting, const nlohmann::json& value) {
  set_setting(preset, setting.key, value);
  const QString name =
      to_qstring(preset.output.name) + QLatin1Char('-') + value_name(setting, value);
  // Where the rules for file names forbid it, the name stays: the run's folder has a number.
  try_set_setting(preset, "output.name", name.toStdString());
  return preset;
}

}  // namespace

std::vector<const Setting*> sweepable_settings(const Preset& preset) {
  std::vector<const Setting*> all;
  for (const Setting& setting : settings()) {
    if (is_single(setting.kind) && is_of_training(setting.group) && applies(preset, setting)) {
      all.push_back(&setting);
    }
  }
  std::ranges::stable_sort(all, {}, [](const Setting* s) { return s->tier != Tier::essential; });
  return all;
}

std::vector<nlohmann::json> swept_numbers(const Setting& setting, const QString& text) {
  static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
  std::vector<nlohmann::json> values;
  for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
    const nlohmann::json value = nlohmann::json::parse(word.toStdString(), nullptr, false);
    Preset trial;
    const std::vector<Problem> problems =
        value.is_number() ? try_set_setting(trial, setting.key, value) : std::vector<Problem>();
    if (!value.is_number() || !problems.empty()) {
      throw Error(
          message<"{value}: {allowed} is expected">(word.toStdString(), allowed_values(setting)));
    }
    if (std::ranges::find(values, value) == values.end()) {
      values.push_back(value);
    }
  }
  return values;
}

std::vector<Preset> swept(const Preset& preset, const std::vector<SweptSetting>& settings) {
  std::vector<Preset> all{preset};
  for (const SweptSetting& setting : settings) {
    std::vector<Preset> next;
    for (const Preset& before : all) {
      for (const nlohmann::json& value : setting.values) {
        next.push_back(with_value(before, setting, value));
      }
    }
    all = std::move(next);
  }
  return all;
}

}  // namespace mantissa::gui
