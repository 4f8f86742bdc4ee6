#pragma once
// Reads, checks and writes one member of Preset as JSON (used by the schema table).

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/preset/names.h"
#include "engine/preset/number_text.h"
#include "engine/preset/object_lists.h"
#include "engine/preset/setting.h"
#include "engine/preset/value_checks.h"

namespace mantissa::value_io {

Json read_value(const LossScaling& value);
/// "auto" if there is none.
Json read_value(const std::optional<double>& value);

void write_value(LossScaling& out, const Setting& s, const Json& value, Problems& problems);
void write_value(std::optional<double>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<std::string>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::vector<int>& out, const Setting& s, const Json& value, Problems& problems);
void write_value(ModelFamily& out, const Setting& s, const Json& value, Problems& problems);
void write_value(std::vector<Part>& out, const Setting& s, const Json& value, Problems& problems);
void write_value(std::array<double, 2>& out, const Setting& s, const Json& value,
                 Problems& problems);
void write_value(std::map<std::string, StorageType>& out, const Setting& s, const Json& value,
                 Problems& problems);

inline Json read_value(bool value) {
  return value;
}
inline Json read_value(int value) {
  return value;
}
inline Json read_value(std::int64_t value) {
  return value;
}
inline Json read_value(double value) {
  return number_to_json(value);
}
inline Json read_value(const std::string& value) {
  return value;
}
inline Json read_value(const std::array<double, 2>& value) {
  return Json::array({number_to_json(value[0]), number_to_json(value[1])});
}
template <typename E>
requires std::is_enum_v<E> Json read_value(E value) {
  return std::string(enum_name(value));
}
inline Json read_value(const std::vector<std::string>& value) {
  return Json(value);
}
inline Json read_value(const std::vector<int>& value) {
  return Json(value);
}
inline Json read_value(ModelFamily value) {
  return std::string(value.name());
}
inline Json read_value(Part value) {
  return std::string(value.name());
}
inline Json read_value(const std::vector<Part>& value) {
  Json list = Json::array();
  for (const Part part : value) {
    list.push_back(read_value(part));
  }
  return list;
}
inline Json read_value(const std::map<std::string, StorageType>& value) {
  Json object = Json::object();
  for (const auto& [pattern, type] : value) {
    object[pattern] = read_value(type);
  }
  return object;
}

inline void write_value(bool& out, const Setting& s, const Json& value, Problems& problems) {
  if (check_boolean(value, std::string(s.key), problems)) {
    out = value.get<bool>();
  }
}
template <typename I>
requires(std::is_same_v<I, int> ||
         std::is_same_v<I, std::int64_t>) void write_value(I& out, const Setting& s,
                                                           const Json& value, Problems& problems) {
  std::int64_t number = 0;
  if (check_integer(value, std::string(s.key), s.min, s.max, number, problems)) {
    out = static_cast<I>(number);
  }
}
inline void write_value(double& out, const Setting& s, const Json& value, Problems& problems) {
  check_number(value, std::string(s.key), s.min, s.max, out, problems);
}
inline void write_value(std::string& out, const Setting& s, const Json& value, Problems& problems) {
  check_text(value, std::string(s.key), s.text, out, problems);
}
template <typename E>
requires std::is_enum_v<E>
void write_value(E& out, const Setting& s, const Json& value, Problems& problems) {
  std::size_t index = 0;
  if (check_choice(value, std::string(s.key), s.choices, index, problems)) {
    out = static_cast<E>(index);
  }
}

/// Follows member pointers from a preset: at<&Preset::adapter, &Preset::Adapter::rank>(p).
template <auto... Members, typename P>
constexpr auto& at(P& preset) {
  return (preset.*....*Members);
}

/// Binding of the member that the pointers lead to.
template <auto... Members>
constexpr Binding bind() {
  return {
      [](const Preset& p) { return read_value(at<Members...>(p)); },
      [](Preset& p, const Setting& s, const Json& value, Problems& problems) {
        write_value(at<Members...>(p), s, value, problems);
      },
      [](const Preset& a, const Preset& b) { return at<Members...>(a) == at<Members...>(b); },
      [](Preset& to, const Preset& from) { at<Members...>(to) = at<Members...>(from); },
  };
}

}  // namespace mantissa::value_io
