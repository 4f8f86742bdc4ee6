#include "engine/preset/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "engine/core/error.h"
#include "engine/preset/preset_text.h"
#include "engine/preset/value_io.h"

namespace mantissa {
namespace {

/// Levenshtein distance in bytes, with swaps of neighbours counted as one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

/// A key that is this far away is no likely typo.
std::size_t reach(std::string_view word) {
  return 1 + word.size() / 4;
}

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
  const std::string_view near = nearest_key(key);
  throw Error(unknown_setting(key, near));
}

Message unknown_setting(std::string_view key, std::string_view near) {
  return near.empty()
             ? message<"{key} is not a setting; `mantissa train --help` lists them all">(key)
             : message<"{key} is not a setting; did you mean {near}?">(key, near);
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words) {
  if (word.size() > 128) {
    return {};
  }
  std::string_view best;
  std::size_t best_distance = reach(word) + 1;
  for (const std::string_view candidate : words) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string_view nearest_key(std::string_view key) {
  std::vector<std::string_view> keys;
  for (const Setting& s : settings()) {
    keys.push_back(s.key);
  }
  // The right name in the wrong section, "training.rank" or plain "rank", where only one has it.
  const auto leaf = [](std::string_view k) { return k.substr(k.rfind('.') + 1); };
  const auto same_leaf = [&](std::string_view k) { return leaf(k) == leaf(key); };
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

void reset_setting(Preset& preset, std::string_view key) {
  require_setting(key).bind.copy(preset, defaults());
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
  const nlohmann::json value = get_setting(preset, setting.applies_if.key);
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  return std::any_of(setting.applies_if.values.begin(), setting.applies_if.values.end(),
                     [&](std::string_view v) { return v == text; });
}

Message allowed_values(const Setting& s) {
  const auto bound = [](double v) { return value_io::number_to_json(v).dump(); };
  const std::string choices = fmt::format("{}", fmt::join(s.choices, ", "));
  switch (s.kind) {
    case Kind::boolean:
      return message<"true or false">();
    case Kind::integer:
      return value_io::whole_number(s.min, s.max);
    case Kind::number:
      return message<"a number from {least} to {most}">(bound(s.min), bound(s.max));
    case Kind::text:
      return s.text == TextRule::file_stem ? message<"a file name without folder or extension">()
                                           : message<"text">();
    case Kind::choice:
      return message<"one of {choices}">(choices);
    case Kind::text_list:
      return message<"a list of texts">();
    case Kind::choice_list:
      return message<"a list with at least one of {choices}">(choices);
    case Kind::targets:
      return message<"one of {choices}, or a list of module-path patterns">(choices);
    case Kind::number_pair:
      return message<"a list of two numbers from {least} to {most}">(bound(s.min), bound(s.max));
    case Kind::choice_or_number:
      return message<"one of {choices}, or a number from {least} to {most}">(choices, bound(s.min),
                                                                             bound(s.max));
    case Kind::pins:
      return message<"an object of at most 256 module-path patterns, each with one of {choices}">(
          choices);
    case Kind::objects: {
      std::vector<std::string_view> keys;
      for (const ItemField& f : s.fields) {
        keys.push_back(f.key);
      }
      return message<"a list of objects with the keys {keys}">(
          fmt::format("{}", fmt::join(keys, ", ")));
    }
  }
  return {};
}

}  // namespace mantissa
