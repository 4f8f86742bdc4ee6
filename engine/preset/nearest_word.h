#pragma once

#include <span>
#include <string_view>

namespace mantissa {

/// Closest of `words` by edit distance; empty if nothing is close.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words);

}  // namespace mantissa
