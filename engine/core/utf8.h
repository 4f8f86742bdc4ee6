#pragma once

#include <cstddef>
#include <string_view>

namespace mantissa {

/// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, surrogates
/// or code points above U+10FFFF), or npos.
std::size_t utf8_error_offset(std::string_view text);

}  // namespace mantissa
