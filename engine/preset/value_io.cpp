#include "engine/preset/value_io.h"

#include <algorithm>
#include <fmt/format.h>

namespace mantissa::value_io {

Json read_value(const LossScaling& value) {
  if (value.mode == LossScaling::Mode::fixed) {
    return number_to_json(value.value);
  }
  return std::string(enum_name(value.mode));
}

Json read_value(const std::optional<double>& value) {
  return value ? number_to_json(*value) : Json("auto");
}

void write_value(LossScaling& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (value.is_string()) {
    const auto mode = enum_from_name<LossScaling::Mode>(value.get_ref<const std::string&>());
    if (mode) {
      out = {*mode, 0};
      return;
    }
  } else if (value.is_number()) {
    const double factor = value.get<double>();
    if (factor >= s.min && factor <= s.max) {
      out = {LossScaling::Mode::fixed, factor};
      return;
    }
  }
  refuse(path, value, allowed_values(s), problems);
}

void write_value(std::optional<double>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const double number = value.is_number() ? value.get<double>() : 0;
  if (value == "auto") {
    out.reset();
  } else if (value.is_number() && number >= s.min && number <= s.max) {
    out = number;
  } else {
    refuse(std::string(s.key), value, allowed_values(s), problems);
  }
}

void write_value(std::vector<std::string>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  const bool targets = s.kind == Kind::targets;
  if (targets && value.is_string()) {
    std::size_t index = 0;
    const std::string& text = value.get_ref<const std::string&>();
    if (std::find(s.choices.begin(), s.choices.end(), text) == s.choices.end()) {
      refuse_word(path, value, allowed_values(s), s.choices, problems);
    } else if (check_choice(value, path, s.choices, index, problems)) {
      out = {text};
    }
    return;
  }
  const bool is_list =
      targets ? check_list(value, path, message<"a list of module-path patterns">(),
                           message<"module-path patterns">(), problems)
              : check_list(value, path, message<"a list of texts">(), message<"texts">(), problems);
  if (!is_list) {
    return;
  }
  if (targets && value.empty()) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::vector<std::string> list;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", path, i);
    std::string text;
    if (targets ? check_pattern(value[i], where, text, problems)
                : check_text(value[i], where, s.text, text, problems)) {
      list.push_back(std::move(text));
    }
  }
  out = std::move(list);
}

void write_value(std::vector<int>& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (!check_list(value, path, allowed_values(s), message<"whole numbers">(), problems)) {
    return;
  }
  std::vector<int> list;
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::int64_t number = 0;
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_integer(value[i], where, s.min, s.max, number, problems)) {
      continue;
    }
    if (std::ranges::find(list, static_cast<int>(number)) != list.end()) {
      problems.push_back(
          {where, message<"{key} is {value}, which is in the list already; give each "
                          "once">(where, number)});
      continue;
    }
    list.push_back(static_cast<int>(number));
  }
  out = std::move(list);
}

void write_value(ModelFamily& out, const Setting& s, const Json& value, Problems& problems) {
  std::size_t index = 0;
  const std::vector<std::string_view> names = family_names();
  if (check_choice(value, std::string(s.key), names, index, problems)) {
    const FamilyRow* row = find_family_row(names[index]);
    out = row == nullptr ? ModelFamily::automatic : row->id;
  }
}

void write_value(std::vector<Part>& out, const Setting& s, const Json& value, Problems& problems) {
  const std::string path(s.key);
  if (!value.is_array() || value.empty()) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::vector<Part> parts;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Part part;
    const std::string where = fmt::format("{}[{}]", path, i);
    if (!check_part(value[i], where, part, problems)) {
      continue;
    }
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) {
      problems.push_back(
          {where, message<"{key} is {value}, which is listed twice; list each part once">(
                      where, shown(value[i]))});
    } else {
      parts.push_back(part);
    }
  }
  std::sort(parts.begin(), parts.end());  // one spelling for one meaning
  out = std::move(parts);
}

void write_value(std::array<double, 2>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!value.is_array() || value.size() != 2) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::array<double, 2> pair{};
  for (std::size_t i = 0; i < 2; ++i) {
    check_number(value[i], fmt::format("{}[{}]", path, i), s.min, s.max, pair[i], problems);
  }
  out = pair;
}

void write_value(std::map<std::string, StorageType>& out, const Setting& s, const Json& value,
                 Problems& problems) {
  const std::string path(s.key);
  if (!value.is_object() || value.size() > kMaxItems) {
    refuse(path, value, allowed_values(s), problems);
    return;
  }
  std::map<std::string, StorageType> pins;
  for (const auto& [key, type] : value.items()) {
    const std::string where = fmt::format("{}.{}", path, key);
    std::string pattern;
    std::size_t index = 0;
    if (check_pattern(Json(key), where, pattern, problems) &&
        check_choice(type, where, s.choices, index, problems)) {
      pins[pattern] = static_cast<StorageType>(index);
    }
  }
  out = std::move(pins);
}

}  // namespace mantissa::value_io
