#pragma once
// Other programs' configurations as flat lists of keys.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"
#include "engine/preset/preset_text.h"

namespace mantissa {

/// One key of a configuration with its value.
struct SourceEntry {
  std::string path;  ///< its place: "optimizer_arguments.lr_scheduler"
  std::string key;   ///< its name in the rules: "lr_scheduler"
  nlohmann::json value;
  int line = 0;
  std::string superseded_by{};  ///< path of the entry that takes precedence, if any
  Message passed_over{};        ///< why it gives no settings, beside the one that does, if any
};

/// Parses TOML into the tree of preset_text.h, under the same limits. Problems are appended; false
/// if the tree is not usable. Dates become text, and so do non-finite numbers.
bool parse_toml_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems);

/// The value of an object's key; null if it has none.
const JsonNode* find_member(const JsonNode& object, std::string_view key);

/// Every leaf of the tree, with dotted paths; arrays are leaves. The key is the whole path.
std::vector<SourceEntry> flatten_tree(const JsonNode& root);

/// "a=1 b=(2, 3)" or a list of "a=1": pairs of name and value, values parsed as JSON if possible.
/// Words without '=', and a value that is neither, get the name ""; quotes around a word or a value
/// are a shell's.
std::vector<std::pair<std::string, nlohmann::json>> split_arguments(const nlohmann::json& value);

/// "--name value --flag --list a b" as a shell's words: pairs of name, with '_' for '-', and value,
/// a list where there are several; true without one. Words before the first option are left out.
std::vector<std::pair<std::string, nlohmann::json>> split_options(std::string_view text);

/// A text of JSON within a value; discarded if it isn't valid or is beyond the limits of a preset.
nlohmann::json parse_or_discard(std::string_view text);

/// A Python or JSON literal: 1e-4, True, None, 'text', (1, 2).
nlohmann::json value_from_literal(std::string_view text);

}  // namespace mantissa
