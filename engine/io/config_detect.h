#pragma once

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/part_names.h"
#include "engine/io/weights.h"

namespace mantissa::config_detect {

/// A part's folder as its family calls it.
inline std::string folder_of(const WeightSource& weights, Part part) {
  const PartFiles* files = weights.family().part(part);
  return files != nullptr ? std::string(files->folder) : part_folder(part);
}

inline std::string source_label(const WeightSource& weights, Part part) {
  const std::string path = "'" + path_to_utf8(weights.path()) + "'";
  return weights.single_file() ? path + " (mantissa.config, " + std::string(part_name(part)) + ")"
                               : path + ", " + folder_of(weights, part) + "/config.json";
}

inline void require_part(const WeightSource& weights, Part part) {
  if (!weights.has_part(part)) {
    throw Error(
        message<"'{path}' holds no {part} weights; pass a complete checkpoint or diffusers folder">(
            path_to_utf8(weights.path()), part.name()));
  }
}

/// Extent of `axis` of a weight.
inline int dim(const WeightSource& weights, Part part, const std::string& name, int axis) {
  const Shape shape = weights.shape(part, name);
  if (axis >= shape.rank()) {
    throw Error(
        message<"'{path}': the {part} weight '{weight}' has shape {shape}; more dimensions are "
                "expected">(path_to_utf8(weights.path()), part.name(), name, shape.str()));
  }
  return static_cast<int>(shape[axis]);
}

/// The Error for a part that has the weight `name`, but not the one that belongs to it.
[[noreturn]] inline void refuse_incomplete(const WeightSource& weights, Part part,
                                           const std::string& name, const std::string& missing) {
  throw Error(
      message<"'{path}': the {part} has {weight}, but no {missing}: the file is incomplete. Get it "
              "again">(path_to_utf8(weights.path()), part.name(), name, missing));
}

/// How many of "<head>0<tail>", "<head>1<tail>", … exist. Throws Error if one is missing before the
/// last.
inline int count_names(const WeightSource& weights, Part part, const std::string& head,
                       const std::string& tail) {
  int n = 0;
  while (weights.contains(part, head + std::to_string(n) + tail)) {
    ++n;
  }
  for (const std::string& name : weights.names(part)) {
    if (name.size() > head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail)) {
      const std::string_view number =
          std::string_view(name).substr(head.size(), name.size() - head.size() - tail.size());
      int index = -1;
      const auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), index);
      if (error == std::errc() && end == number.data() + number.size() && index >= n) {
        refuse_incomplete(weights, part, name, head + std::to_string(n) + tail);
      }
    }
  }
  return n;
}

/// As above. Throws Error, too, if there are fewer than `least`.
inline int count_of_layers(const WeightSource& weights, Part part, const std::string& head,
                           const std::string& tail, int least) {
  const int n = count_names(weights, part, head, tail);
  if (n < least) {
    throw Error(message<"'{path}': the {part} has no {missing}: the file is incomplete. Get it "
                        "again">(path_to_utf8(weights.path()), part.name(),
                                 head + std::to_string(n) + tail));
  }
  return n;
}

/// Whether there is an optional layer, by its first weight, "….linear_1.weight". Throws Error if
/// only others of it are there.
inline bool has_layer(const WeightSource& weights, Part part, std::string_view weight) {
  if (weights.contains(part, weight)) {
    return true;
  }
  const std::string_view head = weight.substr(0, weight.rfind("linear_1."));
  for (const std::string& name : weights.names(part)) {
    if (name.starts_with(head)) {
      refuse_incomplete(weights, part, name, std::string(weight));
    }
  }
  return false;
}

/// The first weight of a part, by name, that ends with `tail`. Throws Error if none does.
inline std::string first_name(const WeightSource& weights, Part part, const std::string& tail) {
  for (std::string& name : weights.names(part)) {
    if (name.ends_with(tail)) {
      return std::move(name);
    }
  }
  throw Error(
      message<"'{path}': the {part} has no weight *{ending}; it is of another architecture">(
          path_to_utf8(weights.path()), part.name(), tail));
}

/// Width of a head, by the norm of its queries. Throws Error unless `width` is a multiple of it.
inline int head_width(const WeightSource& weights, Part part, const std::string& norm, int width) {
  const int head = dim(weights, part, norm, 0);
  if (head < 1 || width < 1 || width % head != 0) {
    throw Error(message<"'{path}': the {part} weight '{weight}' has {count} values, which don't "
                        "divide the width {width} into heads">(path_to_utf8(weights.path()),
                                                               part.name(), norm, head, width));
  }
  return head;
}

/// Finds the heads of a transformer `width` wide, and their width, by that norm.
template <typename Config>
void detect_heads(const WeightSource& weights, Part part, const std::string& norm, int width,
                  Config& config) {
  config.head_dim = head_width(weights, part, norm, width);
  config.heads = width / config.head_dim;
}

/// 32 groups, or the largest power of two that divides every width.
inline int usual_groups(const std::vector<int>& channels) {
  int groups = 32;
  while (std::any_of(channels.begin(), channels.end(), [&](int c) { return c % groups != 0; })) {
    groups /= 2;
  }
  return groups;
}

/// Heads 64 wide, at least one.
inline int usual_heads(int channels) {
  return std::max(1, channels / 64);
}

/// A part's configuration from the model's config.json, else `found` in its weights.
template <typename Config, typename FromJson>
Config declared_or(const Config& found, const WeightSource& weights, Part part,
                   FromJson&& from_json) {
  const auto object = weights.config(part);
  return object ? from_json(*object, source_label(weights, part)) : found;
}

/// `field`, `configured` and `found`: text or a Message.
template <typename Field, typename Value>
[[noreturn]] void refuse_other(const WeightSource& weights, Part part, const Field& field,
                               const Value& configured, const Value& found) {
  throw Error(message<"{file}: field '{field}' says {configured}, the weights have {found}; the "
                      "configuration belongs to another model">(source_label(weights, part), field,
                                                                configured, found));
}

/// Throws Error unless the configured value is the one the weights have.
template <typename Field>
void same(const WeightSource& weights, Part part, const Field& field,
          const nlohmann::json& configured, const nlohmann::json& found) {
  if (configured != found) {
    refuse_other(weights, part, field, configured.dump(), found.dump());
  }
}

}  // namespace mantissa::config_detect
