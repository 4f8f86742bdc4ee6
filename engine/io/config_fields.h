#pragma once
// defines: ConfigFields

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace mantissa {

/// Reads fields of one config object; errors name the source and the field.
class ConfigFields {
 public:
  using Json = nlohmann::json;
  ConfigFields(const Json& object, const std::string& label) : object_(object), label_(label) {
    if (!object.is_object()) {
      throw Error(label + " must be a JSON object");
    }
  }

  [[noreturn]] void fail(const std::string& key, const std::string& why) const {
    throw Error(label_ + ": field '" + key + "' " + why);
  }
  const Json* find(const char* key) const {
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

 private:
  int checked(const char* key, const Json& value, int least) const {
    constexpr std::int64_t kMost = 1 << 24;
    if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
        value.get<std::int64_t>() > kMost) {
      fail(key, "must be a whole number of at least " + std::to_string(least) + ", it is " +
                    value.dump().substr(0, 80));
    }
    return static_cast<int>(value.get<std::int64_t>());
  }

  const Json& object_;
  const std::string& label_;
};

}  // namespace mantissa
