#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

constexpr std::size_t kMaxCaptionBytes = 64u << 10;

struct DecodedCaption {
  std::string text;  ///< UTF-8, line ends are \n, trimmed; may be empty
  Message notice;    ///< "converted from UTF-16", else empty
};

/// Text of a caption file. A UTF-8 BOM is dropped, UTF-16 with a BOM is converted. Throws Error
/// with the reason alone ("holds a NUL byte", "isn't valid UTF-8 at byte 17", …): callers name the
/// file. More than kMaxCaptionBytes is refused.
DecodedCaption decode_caption(std::string_view bytes);

/// Text decoded as a caption's, without the limit on size and without trimming.
DecodedCaption decode_text(std::string_view bytes);

}  // namespace mantissa
