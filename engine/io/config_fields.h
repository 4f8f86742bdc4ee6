#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace mantissa {

/// Reads fields of one config object; errors name the source and the field. It remembers which
/// fields were asked for, so that `refuse_others` finds those nobody understands.
class ConfigFields {
 public:
  using Json = nlohmann::json;
  ConfigFields(const Json& object, std::string label) : object_(object), label_(std::move(label)) {
    if (!object.is_object()) {
      throw Error(label_ + " must be a JSON object");
    }
  }

  [[noreturn]] void fail(const std::string& key, const std::string& why) const {
    throw Error(label_ + ": field '" + key + "' " + why);
  }
  /// Null where the field is missing or null.
  const Json* find(const char* key) const {
    asked_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
  }
  int integer(const char* key, std::optional<int> fallback, int least = 1) const {
    const Json* value = find(key);
    if (value == nullptr) {
      if (!fallback) {
        fail(key, "is missing");
      }
      return *fallback;
    }
    return checked(key, *value, least);
  }
  double number(const char* key, double fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() <= 0) {
      fail(key, "must be a positive number, it is " + value->dump());
    }
    return value->get<double>();
  }
  /// `count` finite numbers; empty where the field is missing.
  std::vector<double> numbers(const char* key, std::size_t count) const {
    const Json* value = find(key);
    std::vector<double> list;
    if (value == nullptr) {
      return list;
    }
    const auto finite = [](const Json& item) {
      return item.is_number() && std::isfinite(item.get<double>());
    };
    if (!value->is_array() || value->size() != count ||
        !std::all_of(value->begin(), value->end(), finite)) {
      fail(key, "must be a list of " + std::to_string(count) + " numbers, it is " +
                    value->dump().substr(0, 80));
    }
    return value->get<std::vector<double>>();
  }
  bool boolean(const char* key, bool fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_boolean()) {
      fail(key, "must be true or false, it is " + value->dump());
    }
    return value->get<bool>();
  }
  std::string text(const char* key, const std::string& fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_string()) {
      fail(key, "must be text, it is " + value->dump());
    }
    return value->get<std::string>();
  }
  std::vector<int> integers(const char* key, std::vector<int> fallback, int least = 1) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_array() || value->empty() || value->size() > 16) {
      fail(key, "must be a list of 1 to 16 whole numbers, it is " + value->dump().substr(0, 80));
    }
    std::vector<int> list;
    for (const Json& item : *value) {
      list.push_back(checked(key, item, least));
    }
    return list;
  }
  // The side of a square, as one number or as height and width; the longer one of an oblong.
  int side(const char* key, int fallback) const {
    const Json* value = find(key);
    if (value == nullptr || value->is_number()) {
      return integer(key, fallback);
    }
    const std::vector<int> sides = integers(key, {});
    if (sides.size() != 2) {
      fail(key, "must be one whole number, or a height and a width; it is " +
                    value->dump().substr(0, 80));
    }
    return std::max(sides[0], sides[1]);
  }
  // One number for all levels, or a list with one a level.
  std::vector<int> per_level(const char* key, std::size_t levels, int fallback) const {
    const Json* value = find(key);
    if (value == nullptr || value->is_number()) {
      return std::vector<int>(levels, integer(key, fallback));
    }
    std::vector<int> list = integers(key, {});
    if (list.size() != levels) {
      fail(key, "must have one entry for each of the " + std::to_string(levels) +
                    " levels of block_out_channels, it has " + std::to_string(list.size()));
    }
    return list;
  }
  std::vector<std::string> texts(const char* key, std::vector<std::string> fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    std::vector<std::string> list;
    if (value->is_array()) {
      for (const Json& item : *value) {
        if (!item.is_string()) {
          fail(key, "must be a list of texts");
        }
        list.push_back(item.get<std::string>());
      }
      return list;
    }
    fail(key, "must be a list of texts, it is " + value->dump().substr(0, 80));
  }
  // Text that must be one of `choices`.
  std::string one_of(const char* key, const std::string& fallback,
                     std::initializer_list<std::string_view> choices) const {
    const std::string value = text(key, fallback);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
      std::string known;
      for (const std::string_view choice : choices) {
        known += (known.empty() ? "" : " or ") + std::string(choice);
      }
      fail(key, "is '" + value + "'; only " + known + " is supported");
    }
    return value;
  }
  // Every level's channels must be a multiple of its divisor, of which the last counts for the
  // levels behind it too.
  void divisible(const char* key, const std::vector<int>& channels,
                 const std::vector<int>& divisors, const char* what) const {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const int divisor = divisors[std::min(i, divisors.size() - 1)];
      if (channels[i] % divisor != 0) {
        fail(key, "is " + std::to_string(divisor) + ", which does not divide the " +
                      std::to_string(channels[i]) + " channels of level " + std::to_string(i) +
                      " into " + what);
      }
    }
  }
  // A field that changes the architecture in a way the engine doesn't have.
  void only(const char* key, const Json& supported) const {
    const Json* value = find(key);
    if (value != nullptr && *value != supported) {
      fail(key, "is " + value->dump().substr(0, 80) + "; only " + supported.dump() +
                    " is supported (a plain model of its family)");
    }
  }
  void absent(const char* key) const {
    if (const Json* value = find(key)) {
      fail(key, "is " + value->dump().substr(0, 80) +
                    "; models with it are not supported (a plain model of its family is)");
    }
  }
  /// Is the field there and null, where that is not the same as missing?
  bool is_null(const char* key) const {
    asked_.insert(key);
    const auto at = object_.find(key);
    return at != object_.end() && at->is_null();
  }
  /// Throws Error for a field that was neither asked for nor is `harmless`: a newer version may
  /// have given it a meaning. Null and false switch a feature off, and names with an underscore in
  /// front are their writer's own notes.
  void refuse_others(std::span<const std::string_view> harmless) const {
    for (const auto& [key, value] : object_.items()) {
      const bool off = value.is_null() || value == false;
      if (off || key.starts_with('_') || asked_.contains(key) ||
          std::find(harmless.begin(), harmless.end(), key) != harmless.end()) {
        continue;
      }
      fail(key, "is " + value.dump().substr(0, 80) +
                    "; this version doesn't know the field and can't tell whether it changes the "
                    "model. Remove it if it has its default value");
    }
  }

  // `value`, which belongs to the field, as a whole number.
  int checked(const char* key, const Json& value, int least) const {
    constexpr std::int64_t kMost = 1 << 24;
    if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
        value.get<std::int64_t>() > kMost) {
      fail(key, "must be a whole number of at least " + std::to_string(least) + ", it is " +
                    value.dump().substr(0, 80));
    }
    return static_cast<int>(value.get<std::int64_t>());
  }

 private:
  const Json& object_;
  std::string label_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace mantissa
