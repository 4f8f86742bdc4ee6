#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

void append_utf8(std::string& text, std::int32_t code_point);

/// Unicode's property White_Space.
bool is_white_space(std::int32_t code_point);

/// Unicode's general category L.
bool is_letter(std::int32_t code_point);

struct LeadingCharacter {
  std::int32_t code = 0;  ///< U+FFFD for invalid bytes
  std::size_t bytes = 1;
  bool sound = true;
};
/// The first one of non-empty `text`; an invalid byte counts as one.
LeadingCharacter leading_character(std::string_view text);

/// The code points of UTF-8; invalid bytes count as U+FFFD.
std::u32string code_points(std::string_view text);

/// Well-formed UTF-8, each invalid byte replaced by U+FFFD.
std::string repaired_utf8(std::string_view text);

/// Unicode's normal form C of valid UTF-8. Throws Error if the text can't be composed.
std::string nfc(std::string_view text);

/// NFC, white space runs to one space, lower case by code point (no context: Σ is always σ). Throws
/// Error if the text can't be composed.
std::u32string clip_normalised(std::string_view text);

/// Splits normalised text into the pieces that CLIP's tokenizer encodes separately.
std::vector<std::u32string_view> clip_pieces(std::u32string_view text);

}  // namespace mantissa
