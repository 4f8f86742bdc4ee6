#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/message.h"

namespace mantissa {

/// A text that isn't UTF-8, and may be in an encoding from before (legacy_text.h).
class NotUtf8 : public Error {
 public:
  explicit NotUtf8(std::size_t offset);
  std::size_t byte() const { return byte_; }

 private:
  std::size_t byte_;
};

constexpr std::size_t kMaxCaptionBytes = 64u << 10;

struct DecodedCaption {
  std::string text;  ///< UTF-8, line ends are \n, trimmed; may be empty
  Message notice;    ///< "converted from UTF-16", else empty
};

/// Text of a caption file. A UTF-8 BOM is dropped, UTF-16 with a BOM is converted. Throws Error
/// with the reason alone ("holds a NUL byte", "isn't valid UTF-8 at byte 17", …): callers name the
/// file. What was never Unicode is NotUtf8. More than kMaxCaptionBytes is refused.
DecodedCaption decode_caption(std::string_view bytes);

/// Text decoded as a caption's, without the limit on size and without trimming.
DecodedCaption decode_text(std::string_view bytes);

}  // namespace mantissa
