#include "engine/io/clip_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utf8proc.h>

#include "engine/core/error.h"

namespace mantissa {

namespace {

enum class Kind { space, letter, number, other };

Kind kind_of(std::int32_t c) {
  if (is_white_space(c)) {
    return Kind::space;
  }
  if (is_letter(c)) {
    return Kind::letter;
  }
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return Kind::number;
    default:
      return Kind::other;
  }
}

bool starts_at(std::u32string_view text, std::size_t at, std::u32string_view what) {
  return text.substr(at, what.size()) == what;
}

}  // namespace

bool is_white_space(std::int32_t c) {
  return (c >= 0x09 && c <= 0x0d) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

bool is_letter(std::int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return true;
    default:
      return false;
  }
}

LeadingCharacter leading_character(std::string_view text) {
  utf8proc_int32_t code = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &code);
  return bytes > 0 ? LeadingCharacter{code, static_cast<std::size_t>(bytes), true}
                   : LeadingCharacter{0xFFFD, 1, false};
}

std::u32string code_points(std::string_view text) {
  std::u32string result;
  while (!text.empty()) {
    const LeadingCharacter c = leading_character(text);
    result += static_cast<char32_t>(c.code);
    text.remove_prefix(c.bytes);
  }
  return result;
}

void append_utf8(std::string& text, std::int32_t code_point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto n = utf8proc_encode_char(code_point, bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(n));
}

std::string repaired_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const LeadingCharacter c = leading_character(text);
    result += c.sound ? text.substr(0, c.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::string nfc(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; })) {
    return std::string(text);
  }
  utf8proc_uint8_t* composed = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (length < 0) {
    throw Error(message<"a caption can't be normalised: {reason}">(utf8proc_errmsg(length)));
  }
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(length)};
}

std::u32string clip_normalised(std::string_view text) {
  std::u32string result;
  for (const char32_t code : code_points(nfc(text))) {
    const auto c = static_cast<std::int32_t>(code);
    if (is_white_space(c)) {
      if (result.empty() || result.back() != U' ') {
        result += U' ';
      }
    } else if (c == 0x130) {  // the one letter whose lower case is two code points
      result += U"i\u0307";
    } else {
      result += static_cast<char32_t>(utf8proc_tolower(c));
    }
  }
  return result;
}

std::vector<std::u32string_view> clip_pieces(std::u32string_view text) {
  static constexpr std::array<std::u32string_view, 7> kContractions{U"'s", U"'t",  U"'re", U"'ve",
                                                                    U"'m", U"'ll", U"'d"};
  static constexpr std::array<std::u32string_view, 2> kSpecial{U"<|startoftext|>",
                                                               U"<|endoftext|>"};
  std::vector<std::u32string_view> pieces;
  std::size_t at = 0;
  const auto emit = [&](std::size_t length) {
    pieces.push_back(text.substr(at, length));
    at += length;
  };
  while (at < text.size()) {
    // A special token in different case isn't special; it is separated from its neighbours, then
    // split again into its brackets and its word.
    const auto* special = std::find_if(kSpecial.begin(), kSpecial.end(),
                                       [&](auto s) { return starts_at(text, at, s); });
    if (special != kSpecial.end()) {
      const std::size_t word = special->size() - 4;
      emit(2);
      emit(word);
      emit(2);
      continue;
    }
    const auto* contraction = std::find_if(kContractions.begin(), kContractions.end(),
                                           [&](auto c) { return starts_at(text, at, c); });
    if (contraction != kContractions.end()) {
      emit(contraction->size());
      continue;
    }
    const Kind kind = kind_of(static_cast<std::int32_t>(text[at]));
    if (kind == Kind::space) {
      ++at;
      continue;
    }
    std::size_t length = 1;
    while (kind != Kind::number && at + length < text.size() &&
           kind_of(static_cast<std::int32_t>(text[at + length])) == kind) {
      ++length;
    }
    emit(length);
  }
  return pieces;
}

}  // namespace mantissa
