#pragma once
// Other programs' configurations as flat lists of keys.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/preset_text.h"

namespace mantissa {

/// One key of a configuration with its value.
struct SourceEntry {
  std::string path;  ///< where it stands: "optimizer_arguments.lr_scheduler"
  std::string key;   ///< what the rules know it by: "lr_scheduler"
  nlohmann::json value;
  int line = 0;
  std::string superseded_by{};  ///< path of the entry that counts instead, when not this one
};

/// TOML as the tree of preset_text.h, under the same limits. Problems are appended; false when the
/// tree is not usable. Dates become text; numbers that are not finite become text too, so that
/// nothing takes them for numbers.
bool parse_toml_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems);

/// Every leaf of the tree, with dotted paths; arrays are leaves. The key is the whole path.
std::vector<SourceEntry> flatten_tree(const JsonNode& root);

/// "a=1 b=(2, 3)" or a list of "a=1": pairs of name and value, values read as JSON where they can
/// be. Words without '=' get the name "".
std::vector<std::pair<std::string, nlohmann::json>> split_arguments(const nlohmann::json& value);

/// A value as it stands in Python or JSON text: 1e-4, True, None, 'text', (1, 2).
nlohmann::json value_from_literal(std::string_view text);

}  // namespace mantissa
