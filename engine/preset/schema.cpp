#include "engine/preset/schema.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/preset_text.h"

namespace mantissa {
namespace {

const Preset& defaults() {
  static const Preset preset;
  return preset;
}

}  // namespace

const Setting* find_setting(std::string_view key) {
  for (const Setting& s : settings()) {
    if (s.key == key || (!s.alias.empty() && s.alias == key)) {
      return &s;
    }
  }
  return nullptr;
}

const Setting& require_setting(std::string_view key) {
  if (const Setting* s = find_setting(key)) {
    return *s;
  }
  const std::string_view nearest = nearest_key(key);
  throw Error(unknown_setting(key, nearest));
}

Message unknown_setting(std::string_view key, std::string_view nearest) {
  return nearest.empty()
             ? message<"{key} is not a setting; `mantissa train --help` lists them all">(key)
             : message<"{key} is not a setting; did you mean {near}?">(key, nearest);
}

std::string_view nearest_key(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Setting& s : settings()) {
    keys.push_back(s.key);
  }
  // The right name in the wrong section, "training.rank" or plain "rank", where only one has it.
  const auto leaf = [](std::string_view k) { return k.substr(k.rfind('.') + 1); };
  const auto same_leaf = [&, wanted = leaf(key)](std::string_view k) { return leaf(k) == wanted; };
  if (std::count_if(keys.begin(), keys.end(), same_leaf) == 1) {
    return *std::find_if(keys.begin(), keys.end(), same_leaf);
  }
  return nearest_word(key, keys);
}

nlohmann::json get_setting(const Preset& preset, std::string_view key) {
  const Setting& s = require_setting(key);
  nlohmann::json value = s.bind.read(preset);
  if (s.kind == Kind::targets && value.size() == 1 &&
      std::find(s.choices.begin(), s.choices.end(), value[0].get_ref<const std::string&>()) !=
          s.choices.end()) {
    return value[0];
  }
  return value;
}

std::vector<Problem> try_set_setting(Preset& preset, std::string_view key,
                                     const nlohmann::json& value) {
  const Setting& s = require_setting(key);
  std::vector<Problem> problems;
  Preset changed;
  s.bind.write(changed, s, value, problems);
  if (problems.empty()) {
    s.bind.copy(preset, changed);
  }
  return problems;
}

void set_setting(Preset& preset, std::string_view key, const nlohmann::json& value) {
  const std::vector<Problem> problems = try_set_setting(preset, key, value);
  if (!problems.empty()) {
    std::vector<LineProblem> list;
    for (const Problem& p : problems) {
      list.push_back({0, p.message});
    }
    throw ProblemList(std::move(list));
  }
}

bool is_default(const Preset& preset, std::string_view key) {
  return require_setting(key).bind.same(preset, defaults());
}

nlohmann::json default_value(std::string_view key) {
  return get_setting(defaults(), key);
}

bool belongs(const Setting& setting, ModelFamily family) {
  return setting.families == nullptr || family_row(family).*setting.families;
}

bool applies(const Preset& preset, const Setting& setting) {
  if (!belongs(setting, preset.model.family)) {
    return false;
  }
  if (setting.applies_if.key.empty()) {
    return true;
  }
  const auto meets = [&](const nlohmann::json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return std::any_of(setting.applies_if.values.begin(), setting.applies_if.values.end(),
                       [&](std::string_view v) { return v == text; });
  };
  const nlohmann::json value = get_setting(preset, setting.applies_if.key);
  return value.is_array() ? std::any_of(value.begin(), value.end(), meets) : meets(value);
}

}  // namespace mantissa
