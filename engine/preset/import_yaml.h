#pragma once

#include <string_view>
#include <vector>

#include "engine/preset/preset_text.h"

namespace mantissa {

/// Whether a text that isn't JSON looks like YAML rather than TOML, by its first line.
bool looks_like_yaml(std::string_view text);

/// Parses one YAML document into the tree of preset_text.h, under the same limits. Plain scalars
/// are read as PyYAML reads them, and 1e-4 as a number. Aliases, tags and keys that aren't text are
/// problems: nothing is expanded or constructed. Problems are appended; false if the tree is not
/// usable.
bool parse_yaml_text(std::string_view text, JsonNode& root, std::vector<LineProblem>& problems);

}  // namespace mantissa
