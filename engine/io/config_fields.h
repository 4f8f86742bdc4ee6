#pragma once

#include <algorithm>
#include <array>
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
/// fields were read, so that `refuse_others` finds unknown ones.
class ConfigFields {
 public:
  using Json = nlohmann::json;
  ConfigFields(const Json& object, std::string label) : object_(object), label_(std::move(label)) {
    if (!object.is_object()) {
      throw Error(message<"{file} must be a JSON object">(label_));
    }
  }

  /// `why` completes the sentence that begins "field 'x'".
  [[noreturn]] void fail(const std::string& key, const Message& why) const {
    throw Error(message<"{file}: field '{field}' {problem}">(label_, key, why));
  }
  /// A field's value, shortened for a message.
  static std::string start_of(const Json& value) { return value.dump().substr(0, 80); }
  /// Null if the field is missing or null.
  const Json* find(const char* key) const {
    asked_.insert(key);
    const auto at = object_.find(key);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
  }
  int integer(const char* key, std::optional<int> fallback, int least = 1) const {
    const Json* value = find(key);
    if (value == nullptr) {
      if (!fallback) {
        fail(key, message<"is missing">());
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
      fail(key, message<"must be a positive number, it is {found}">(value->dump()));
    }
    return value->get<double>();
  }
  /// `count` finite numbers; empty if the field is missing.
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
      fail(key,
           message<"must be a list of {count} numbers, it is {found}">(count, start_of(*value)));
    }
    return value->get<std::vector<double>>();
  }
  bool boolean(const char* key, bool fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_boolean()) {
      fail(key, message<"must be true or false, it is {found}">(value->dump()));
    }
    return value->get<bool>();
  }
  std::string text(const char* key, const std::string& fallback) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_string()) {
      fail(key, message<"must be text, it is {found}">(value->dump()));
    }
    return value->get<std::string>();
  }
  std::vector<int> integers(const char* key, std::vector<int> fallback, int least = 1) const {
    const Json* value = find(key);
    if (value == nullptr) {
      return fallback;
    }
    if (!value->is_array() || value->empty() || value->size() > 16) {
      fail(key,
           message<"must be a list of 1 to 16 whole numbers, it is {found}">(start_of(*value)));
    }
    std::vector<int> list;
    for (const Json& item : *value) {
      list.push_back(checked(key, item, least));
    }
    return list;
  }
  /// As many whole numbers as `usual` has.
  template <std::size_t kCount>
  std::array<int, kCount> exactly(const char* key, const std::array<int, kCount>& usual) const {
    const std::vector<int> list = integers(key, {usual.begin(), usual.end()});
    std::array<int, kCount> values{};
    if (list.size() != kCount) {
      fail(key, message<"must have {wanted} entries, it has {count}">(kCount, list.size()));
    }
    std::copy(list.begin(), list.end(), values.begin());
    return values;
  }
  // The side of a square, as one number or as height and width; the longer side of a rectangle.
  int side(const char* key, int fallback) const {
    const Json* value = find(key);
    if (value == nullptr || value->is_number()) {
      return integer(key, fallback);
    }
    const std::vector<int> sides = integers(key, {});
    if (sides.size() != 2) {
      fail(key, message<"must be one whole number, or a height and a width; it is {found}">(
                    start_of(*value)));
    }
    return std::max(sides[0], sides[1]);
  }
  // One number for all levels, or a list with one per level.
  std::vector<int> per_level(const char* key, std::size_t levels, int fallback) const {
    const Json* value = find(key);
    if (value == nullptr || value->is_number()) {
      return std::vector<int>(levels, integer(key, fallback));
    }
    std::vector<int> list = integers(key, {});
    if (list.size() != levels) {
      fail(key, message<"must have one entry for each of the {levels} levels of "
                        "block_out_channels, it has {count}">(levels, list.size()));
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
          fail(key, message<"must be a list of texts">());
        }
        list.push_back(item.get<std::string>());
      }
      return list;
    }
    fail(key, message<"must be a list of texts, it is {found}">(start_of(*value)));
  }
  // Text that must be one of `choices`.
  std::string one_of(const char* key, const std::string& fallback,
                     std::initializer_list<std::string_view> choices) const {
    const std::string value = text(key, fallback);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
      std::vector<Message> known;
      for (const std::string_view choice : choices) {
        known.push_back(Message::verbatim(std::string(choice)));
      }
      fail(key, message<"is '{found}'; only {choices} is supported">(value, joined<" or ">(known)));
    }
    return value;
  }
  // Every level's channels must be a multiple of its divisor, the last of which applies to all
  // further levels too.
  void divisible(const char* key, const std::vector<int>& channels,
                 const std::vector<int>& divisors, const Message& what) const {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const int divisor = divisors[std::min(i, divisors.size() - 1)];
      if (channels[i] % divisor != 0) {
        fail(key, message<"is {divisor}, which does not divide the {channels} channels of level "
                          "{level} into {parts}">(divisor, channels[i], i, what));
      }
    }
  }
  // A field that changes the architecture in a way the engine doesn't have.
  void only(const char* key, const Json& supported) const {
    const Json* value = find(key);
    if (value != nullptr && *value != supported) {
      fail(key, message<"is {found}; only {choices} is supported (a plain model of its family)">(
                    start_of(*value), supported.dump()));
    }
  }
  void absent(const char* key) const {
    if (const Json* value = find(key)) {
      fail(key,
           message<"is {found}; models with it are not supported (a plain model of its family is)">(
               start_of(*value)));
    }
  }
  /// Whether the field is present and null, where that differs from missing.
  bool is_null(const char* key) const {
    asked_.insert(key);
    const auto at = object_.find(key);
    return at != object_.end() && at->is_null();
  }
  /// Throws Error for a field that was neither read nor is `harmless`: it may have a meaning in a
  /// newer version. Null and false switch a feature off, and names with a leading underscore are
  /// the writer's own notes.
  void refuse_others(std::span<const std::string_view> harmless) const {
    for (const auto& [key, value] : object_.items()) {
      const bool off = value.is_null() || value == false;
      if (off || key.starts_with('_') || asked_.contains(key) || is_of_storage(key, value) ||
          std::find(harmless.begin(), harmless.end(), key) != harmless.end()) {
        continue;
      }
      fail(key,
           message<"is {found}; this version doesn't know the field and can't tell whether it "
                   "changes the model. Remove it if it has its default value">(start_of(value)));
    }
  }

  /// How bitsandbytes stored the weights in four bits: their tensors say it too.
  static bool is_of_storage(const std::string& key, const Json& value) {
    const auto is = [&](const char* field, const Json& wanted) {
      return value.is_object() && value.contains(field) && value[field] == wanted;
    };
    return key == "quantization_config" && is("quant_method", "bitsandbytes") &&
           is("load_in_4bit", true);
  }
  // The field's `value` as an integer.
  int checked(const char* key, const Json& value, int least) const {
    constexpr std::int64_t kMost = 1 << 24;
    if (!value.is_number_integer() || value.get<std::int64_t>() < least ||
        value.get<std::int64_t>() > kMost) {
      fail(key, message<"must be a whole number from {least} to {most}, it is {found}">(
                    least, kMost, start_of(value)));
    }
    return static_cast<int>(value.get<std::int64_t>());
  }

 private:
  const Json& object_;
  std::string label_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace mantissa
