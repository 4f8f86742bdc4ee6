#include "engine/core/printable.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engine/core/paths.h"
#include "engine/core/utf8.h"

namespace mantissa {
namespace {

struct Range {
  char32_t first, last;
};
// Unicode's Cc and Cf, line and paragraph separator, and invisible fillers.
constexpr std::array<Range, 22> kHidden{
    {{0x00, 0x1F},       {0x7F, 0x9F},      {0xAD, 0xAD},       {0x34F, 0x34F},
     {0x600, 0x605},     {0x61C, 0x61C},    {0x6DD, 0x6DD},     {0x70F, 0x70F},
     {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},   {0x200B, 0x200F},
     {0x2028, 0x202E},   {0x2060, 0x206F},  {0x3164, 0x3164},   {0xFEFF, 0xFEFF},
     {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},  {0x110BD, 0x110CD}, {0x1BCA0, 0x1BCA3},
     {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}}};

bool is_hidden(char32_t c) {
  return std::any_of(kHidden.begin(), kHidden.end(),
                     [c](const Range& r) { return c >= r.first && c <= r.last; });
}

/// The character at the start of well-formed `text`; `bytes` is its length.
char32_t first_character(std::string_view text, std::size_t& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t c = bytes == 1 ? lead : lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    c = c << 6 | (byte(i) & 0x3FU);
  }
  return c;
}

/// ASCII that is shown as it is.
bool is_plain(char c) {
  return c >= ' ' && c <= '~';
}

/// `text` with `escape(character)` for the hidden ones that `keeps` does not name, and \xNN for
/// invalid UTF-8 bytes.
template <typename Escape>
std::string escaped(std::string_view text, std::string_view keeps, const Escape& escape) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::string_view sound = text.substr(0, utf8_error_offset(text));
    text.remove_prefix(sound.size());
    while (!sound.empty()) {
      const auto special = std::ranges::find_if_not(sound, is_plain);
      const auto plain = static_cast<std::size_t>(special - sound.begin());
      result += sound.substr(0, plain);
      sound.remove_prefix(plain);
      if (sound.empty()) {
        break;
      }
      std::size_t bytes = 1;
      const char32_t c = first_character(sound, bytes);
      if (is_hidden(c) && (c >= 0x80 || keeps.find(sound[0]) == std::string_view::npos)) {
        result += escape(c);
      } else {
        result += sound.substr(0, bytes);
      }
      sound.remove_prefix(bytes);
    }
    if (!text.empty()) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    }
  }
  return result;
}

std::string shown(char32_t c) {
  const auto number = static_cast<unsigned>(c);
  return c < 0x80      ? fmt::format("\\x{:02x}", number)
         : c < 0x10000 ? fmt::format("\\u{:04x}", number)
                       : fmt::format("\\U{:08x}", number);
}

/// In UTF-16, as JSON counts.
std::string in_json(char32_t c) {
  const auto number = static_cast<unsigned>(c);
  return c < 0x10000 ? fmt::format("\\u{:04x}", number)
                     : fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((number - 0x10000) >> 10),
                                   0xDC00 + ((number - 0x10000) & 0x3FF));
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, "", shown);
}

std::string printable_path(const std::filesystem::path& path) {
  return printable(path_to_utf8(path));
}

std::string shortened_path(const std::filesystem::path& path) {
  constexpr std::size_t kMostOfAPath = 300;
  const std::string text = path_to_utf8(path);
  if (text.size() <= kMostOfAPath) {
    return printable(text);
  }
  return fmt::format("{}...{} ({} bytes)", printable(text.substr(0, kMostOfAPath / 2)),
                     printable(text.substr(text.size() - 50)), text.size());
}

std::string printable_lines(std::string_view text) {
  return escaped(text, "\n", shown);
}

std::string printable_json(std::string_view json) {
  return escaped(json, "\n\t\r", in_json);
}

}  // namespace mantissa
