#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mantissa {

/// The whole number that Python's int(text) gives for UTF-8 text, at most 10^15 either way; empty
/// where Python raises ValueError. Decimal digits of every script count, a sign is "+" or "-" in
/// ASCII, white space around is left out.
std::optional<std::int64_t> python_int(std::string_view text);

}  // namespace mantissa
