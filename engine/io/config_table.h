#pragma once
// A part's configuration as a table: one row for each number in its config.json. A row reads the
// field, finds it in the weights, checks one against the other and writes it.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "engine/io/config_detect.h"
#include "engine/io/config_fields.h"

namespace mantissa {

/// What tells a field in the weights of its part.
struct FieldSource {
  enum class Kind {
    none,      ///< nothing does: the file is believed
    extent,    ///< the extent of an axis of `weight`
    count,     ///< how many of "<weight>0<tail>", "<weight>1<tail>", … there are
    presence,  ///< whether there is `weight`
    derived,   ///< the family's own function, from other fields
  };
  Kind kind = Kind::none;
  const char* weight = "";
  const char* tail = "";
  int axis = 0;
};
constexpr FieldSource extent_of(const char* weight, int axis) {
  return {FieldSource::Kind::extent, weight, "", axis};
}
constexpr FieldSource count_of(const char* head, const char* tail) {
  return {FieldSource::Kind::count, head, tail};
}
constexpr FieldSource presence_of(const char* weight) {
  return {FieldSource::Kind::presence, weight};
}
inline constexpr FieldSource kDerivedField{FieldSource::Kind::derived};

/// A whole number, a positive number or a switch of a configuration.
template <typename Config>
struct ConfigField {
  const char* key;  ///< in config.json
  std::variant<int Config::*, double Config::*, bool Config::*> member;
  /// The value if config.json lacks the field; none: it may not be missing.
  std::optional<double> usual;
  FieldSource source{};
  int least = 1;  ///< of whole numbers
};

/// Reads the fields of a table from a config.json. Throws Error naming a field that is wrong.
template <typename Config, std::size_t kCount>
void read_table(const ConfigFields& json, const ConfigField<Config> (&table)[kCount],
                Config& config) {
  for (const ConfigField<Config>& field : table) {
    if (const auto* whole = std::get_if<int Config::*>(&field.member)) {
      const auto usual =
          field.usual ? std::optional(static_cast<int>(*field.usual)) : std::optional<int>();
      config.** whole = json.integer(field.key, usual, field.least);
    } else if (const auto* number = std::get_if<double Config::*>(&field.member)) {
      config.** number = json.number(field.key, field.usual.value_or(0));
    } else {
      config.*std::get<bool Config::*>(field.member) =
          json.boolean(field.key, field.usual.value_or(0) != 0);
    }
  }
}

/// Finds the fields that weights tell by themselves; derived ones are left as they are.
template <typename Config, std::size_t kCount>
void detect_table(const WeightSource& weights, Part part,
                  const ConfigField<Config> (&table)[kCount], Config& config) {
  using Kind = FieldSource::Kind;
  for (const auto& [key, member, usual, source, least] : table) {
    if (source.kind == Kind::presence) {
      config.*std::get<bool Config::*>(member) =
          config_detect::has_layer(weights, part, source.weight);
    } else if (source.kind == Kind::extent) {
      config.*std::get<int Config::*>(member) =
          config_detect::dim(weights, part, source.weight, source.axis);
    } else if (source.kind == Kind::count) {
      config.*std::get<int Config::*>(member) =
          config_detect::count_of_layers(weights, part, source.weight, source.tail, least);
    }
  }
}

/// Throws Error unless every field that weights tell, by themselves or derived, is as in `found`.
template <typename Config, std::size_t kCount>
void check_table(const WeightSource& weights, Part part, const ConfigField<Config> (&table)[kCount],
                 const Config& config, const Config& found) {
  for (const ConfigField<Config>& field : table) {
    if (field.source.kind != FieldSource::Kind::none) {
      std::visit(
          [&](auto member) {
            config_detect::same(weights, part, field.key, config.*member, found.*member);
          },
          field.member);
    }
  }
}

/// Adds the fields to a config.json.
template <typename Config, std::size_t kCount>
void write_table(nlohmann::json& json, const ConfigField<Config> (&table)[kCount],
                 const Config& config) {
  for (const ConfigField<Config>& field : table) {
    std::visit([&](auto member) { json[field.key] = config.*member; }, field.member);
  }
}

/// A part's configuration: of its config.json if the model has one, else `found` in its weights;
/// the two may not differ.
template <typename Config, std::size_t kCount, typename FromJson>
Config config_by_table(const WeightSource& weights, Part part,
                       const ConfigField<Config> (&table)[kCount], const Config& found,
                       FromJson&& from_json) {
  const Config config = config_detect::declared_or(found, weights, part, from_json);
  check_table(weights, part, table, config, found);
  return config;
}

}  // namespace mantissa
