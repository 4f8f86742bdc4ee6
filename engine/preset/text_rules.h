#pragma once
// Rules for the strings of a shared preset.

#include <optional>
#include <string_view>
#include <utility>

#include "engine/preset/setting.h"

namespace mantissa {

/// Why `text` is not allowed under `rule`, to follow "which …"; empty if it is allowed.
Message text_refusal(std::string_view text, TextRule rule);

/// Width and height of "768x1344", 1 to 65535 without leading zeros; nullopt for other text.
std::optional<std::pair<int, int>> parse_size(std::string_view text);

/// 1 to 256 printable ASCII characters without spaces, quotes, slashes or colons.
bool is_module_pattern(std::string_view text);

}  // namespace mantissa
