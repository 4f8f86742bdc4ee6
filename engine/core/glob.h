#pragma once

#include <string_view>

namespace mantissa {

/// True if `text` matches `pattern`, where each '*' matches any run of characters.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace mantissa
