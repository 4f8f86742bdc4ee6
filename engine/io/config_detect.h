#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/weights.h"

namespace mantissa::config_detect {

inline std::string source_label(const WeightSource& weights, Part part) {
  const std::string path = "'" + path_to_utf8(weights.path()) + "'";
  return weights.single_file() ? path + " (mantissa.config, " + std::string(part_name(part)) + ")"
                               : path + ", " + std::string(part_folder(part)) + "/config.json";
}

inline void require_part(const WeightSource& weights, Part part) {
  if (!weights.has_part(part)) {
    throw Error("'" + path_to_utf8(weights.path()) + "' holds no " + std::string(part_name(part)) +
                " weights; pass a complete checkpoint or diffusers folder");
  }
}

/// Extent of `axis` of a weight.
inline int dim(const WeightSource& weights, Part part, const std::string& name, int axis) {
  const Shape shape = weights.shape(part, name);
  if (axis >= shape.rank()) {
    throw Error("'" + path_to_utf8(weights.path()) + "': the " + std::string(part_name(part)) +
                " weight '" + name + "' has shape " + shape.str() +
                "; more dimensions are expected");
  }
  return static_cast<int>(shape[axis]);
}

/// How many of "<head>0<tail>", "<head>1<tail>", … exist.
inline int count_names(const WeightSource& weights, Part part, const std::string& head,
                       const std::string& tail) {
  int n = 0;
  while (weights.contains(part, head + std::to_string(n) + tail)) {
    ++n;
  }
  return n;
}

/// The first weight of a part, by name, that ends with `tail`. Throws Error where none does.
inline std::string first_name(const WeightSource& weights, Part part, const std::string& tail) {
  for (std::string& name : weights.names(part)) {
    if (name.ends_with(tail)) {
      return std::move(name);
    }
  }
  throw Error("'" + path_to_utf8(weights.path()) + "': the " + std::string(part_name(part)) +
              " has no weight *" + tail + "; it is of another architecture");
}

/// What the model's config.json says of a part, else `found` in its weights.
template <typename Config, typename FromJson>
Config declared_or(const Config& found, const WeightSource& weights, Part part,
                   FromJson&& from_json) {
  const auto object = weights.config(part);
  return object ? from_json(*object, source_label(weights, part)) : found;
}

/// Throws Error unless the configured value is the one the weights have.
inline void same(const WeightSource& weights, Part part, const char* field,
                 const nlohmann::json& configured, const nlohmann::json& found) {
  if (configured != found) {
    throw Error(source_label(weights, part) + ": field '" + field + "' says " + configured.dump() +
                ", the weights have " + found.dump() +
                "; the configuration belongs to another model");
  }
}

}  // namespace mantissa::config_detect
