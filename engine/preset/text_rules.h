#pragma once
// Rules for the strings of a shared preset.

#include <string_view>

#include "engine/preset/schema.h"

namespace mantissa {

/// Why `text` is not allowed under `rule`, to follow "which …"; empty if it is allowed.
Message text_refusal(std::string_view text, TextRule rule);

/// 1 to 256 printable ASCII characters without spaces, quotes, slashes or colons.
bool is_module_pattern(std::string_view text);

}  // namespace mantissa
