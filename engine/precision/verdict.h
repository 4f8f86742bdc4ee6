#pragma once

#include <cstdint>
#include <string_view>

namespace mantissa {

/// What becomes of a finding, the mildest first.
enum class Verdict : std::uint8_t { works, adjusted, warning, refused };
/// "works", "adjusted", …
std::string_view verdict_name(Verdict v);

}  // namespace mantissa
