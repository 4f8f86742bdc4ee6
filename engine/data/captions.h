#pragma once
// defines: kMaxCaptionBytes, DecodedCaption, decode_caption, find_invalid_utf8

#include <cstddef>
#include <string>
#include <string_view>

namespace mantissa {

constexpr std::size_t kMaxCaptionBytes = 64u << 10;

struct DecodedCaption {
  std::string text;    ///< UTF-8, line ends are \n, outer white space gone; may be empty
  std::string notice;  ///< "converted from UTF-16", else empty
};

/// Text of a caption file. A UTF-8 BOM is dropped, UTF-16 with a BOM is converted. Throws Error
/// with the reason alone ("holds a NUL byte", "isn't valid UTF-8 at byte 17", …): callers name the
/// file.
DecodedCaption decode_caption(std::string_view bytes);

/// Is the text valid UTF-8 (no overlong form, no surrogate)? Position of the first bad byte,
/// or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace mantissa
