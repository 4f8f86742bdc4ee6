#pragma once
// Encodings in which texts were kept before UTF-8.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/message.h"

namespace mantissa {

enum class LegacyEncoding { shift_jis, gb18030, big5, euc_kr, windows_1252, windows_1251 };

inline constexpr std::array kLegacyEncodings{
    LegacyEncoding::shift_jis, LegacyEncoding::gb18030,      LegacyEncoding::big5,
    LegacyEncoding::euc_kr,    LegacyEncoding::windows_1252, LegacyEncoding::windows_1251};

/// Name of an encoding on the command line: "shift-jis".
std::string_view legacy_name(LegacyEncoding encoding);
std::optional<LegacyEncoding> legacy_encoding(std::string_view name);
/// Name of an encoding for people: "Japanese (Shift-JIS)".
Message legacy_title(LegacyEncoding encoding);

/// The UTF-8 text of bytes in an encoding; nothing if some of them are no text in it: an invalid or
/// unassigned sequence, a private character, a control character other than tab and line ends.
/// Shift-JIS, Big5 and EUC-KR are read with the extensions of Windows. Throws Error if the system
/// has no tables of the encoding.
std::optional<std::string> legacy_to_utf8(std::string_view bytes, LegacyEncoding encoding);

/// Whether the system has the tables of an encoding.
bool has_legacy_encoding(LegacyEncoding encoding);

/// The encodings in which bytes are a text. Several, as a rule: only a reader knows which is right.
std::vector<LegacyEncoding> legacy_encodings_of(std::string_view bytes);

}  // namespace mantissa
