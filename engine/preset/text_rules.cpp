#include "engine/preset/text_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "engine/core/ascii.h"
#include "engine/core/file_names.h"
#include "engine/core/utf8.h"

namespace mantissa {
namespace {

constexpr std::size_t kMaxLabel = 256;
constexpr std::size_t kMaxStem = 128;
constexpr std::size_t kMaxText = std::size_t{64} << 10;

bool has_control(std::string_view text, bool allow_lines) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && !(allow_lines && (c == '\n' || c == '\t'))) || c == 0x7F) {
      return true;
    }
    // U+0080..U+009F, and the marks U+202A..U+202E, U+2066..U+2069 that reorder displayed text.
    const auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    if ((c == 0xC2 && at(1) >= 0x80 && at(1) < 0xA0) ||
        (c == 0xE2 && at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) ||
        (c == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9)) {
      return true;
    }
  }
  return false;
}

bool is_utf8(std::string_view text) {
  return utf8_error_offset(text) == std::string_view::npos;
}

bool has_url(const std::string& text) {
  return text.find("://") != std::string::npos || text.rfind("file:", 0) == 0 ||
         text.rfind("javascript:", 0) == 0 || text.rfind("data:", 0) == 0 ||
         text.rfind("mailto:", 0) == 0 || text.find("www.") != std::string::npos;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool has_place(std::string_view text) {
  if (text.empty()) {
    return false;
  }
  const bool drive = text.size() > 2 && is_letter(text[0]) && text[1] == ':' &&
                     (text[2] == '\\' || text[2] == '/');
  const bool home = text[0] == '~' && text.size() > 1 && (text[1] == '/' || text[1] == '\\');
  bool parent = text == "..";
  for (const std::string_view step : {"../", "..\\", "/..", "\\.."}) {
    parent = parent || text.find(step) != std::string_view::npos;
  }
  return text[0] == '/' || text[0] == '\\' || drive || home || parent;
}

Message stem_refusal(std::string_view text) {
  if (text.empty()) {
    return message<"is empty; give the file a name">();
  }
  if (text.size() > kMaxStem) {
    return message<"is longer than 128 bytes">();
  }
  if (text.find_first_of("/\\:*?\"<>|") != std::string_view::npos) {
    return message<"holds one of / \\ : * ? \" < > |; give a file name without a folder">();
  }
  if (text.front() == '.' || text.back() == '.' || text.front() == ' ' || text.back() == ' ') {
    return message<"starts or ends with a dot or a space; not every system can name a file so">();
  }
  if (text.find("..") != std::string_view::npos) {
    return message<"holds \"..\"; a preset names no place on a disk">();
  }
  const std::string small = lower_ascii(text);
  if (is_device_name(small)) {
    return message<"is a device name on Windows; choose another">();
  }
  constexpr std::string_view kExtension = ".safetensors";
  if (small.size() >= kExtension.size() &&
      small.compare(small.size() - kExtension.size(), kExtension.size(), kExtension) == 0) {
    return message<"ends in .safetensors; leave the extension out">();
  }
  return {};
}

}  // namespace

Message text_refusal(std::string_view text, TextRule rule) {
  if (rule == TextRule::size) {
    return parse_size(text) ? Message{}
                            : message<"is not a size; write WIDTHxHEIGHT, for example 768x1344">();
  }
  if (text.size() > kMaxText) {
    return message<"is longer than 64 KB">();
  }
  if (!is_utf8(text)) {
    return message<"is not valid UTF-8">();
  }
  const bool one_line = rule == TextRule::label || rule == TextRule::file_stem;
  if (has_control(text, !one_line)) {
    return message<"holds control characters">();
  }
  if (rule == TextRule::prompt) {
    return {};
  }
  if (has_url(lower_ascii(text))) {
    return message<"holds a URL; presets hold none, because they are shared">();
  }
  if (rule == TextRule::prose) {
    return {};
  }
  if (rule == TextRule::file_stem) {
    return stem_refusal(text);
  }
  if (text.size() > kMaxLabel) {
    return message<"is longer than 256 bytes">();
  }
  if (has_place(text)) {
    return message<"looks like a path; presets hold none, because they are shared">();
  }
  return {};
}

std::optional<std::pair<int, int>> parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) {
    return std::nullopt;
  }
  const auto side = [](std::string_view digits) {
    constexpr int kMaxSide = 65535;
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && end == digits.data() + digits.size();
    return whole && digits[0] != '0' && value >= 1 && value <= kMaxSide ? value : 0;
  };
  const int width = side(text.substr(0, cross)), height = side(text.substr(cross + 1));
  return width > 0 && height > 0 ? std::optional(std::pair(width, height)) : std::nullopt;
}

bool is_module_pattern(std::string_view text) {
  if (text.empty() || text.size() > 256 || text.find("..") != std::string_view::npos) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7F && c != '/' && c != '\\' && c != ':' && c != '"' && c != '\'';
  });
}

}  // namespace mantissa
