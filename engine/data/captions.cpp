#include "engine/data/captions.h"

#include <cstdint>

#include "engine/core/utf8.h"

namespace mantissa {

namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string utf16_to_utf8(std::string_view bytes, bool big_endian) {
  if (bytes.size() % 2 != 0) {
    throw Error(message<"is UTF-16 cut in the middle of a character; save it as UTF-8">());
  }
  const auto unit = [&](std::size_t at) {
    const auto a = static_cast<std::uint8_t>(bytes[at]);
    const auto b = static_cast<std::uint8_t>(bytes[at + 1]);
    return static_cast<std::uint32_t>(big_endian ? a << 8 | b : b << 8 | a);
  };
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t low = i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (code >= 0xDC00 || low < 0xDC00 || low > 0xDFFF) {
        throw Error(message<"isn't valid UTF-16 at byte {byte}; save it as UTF-8">(i + 2));
      }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    append_utf8(text, code);
  }
  return text;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

NotUtf8::NotUtf8(std::size_t offset)
    : Error(mantissa::message<"isn't valid UTF-8 at byte {byte}; save it as UTF-8">(offset)),
      byte_(offset) {}

DecodedCaption decode_text(std::string_view bytes) {
  DecodedCaption result;
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    const bool big_endian = bytes[0] == '\xFE';
    result.text = utf16_to_utf8(bytes.substr(2), big_endian);
    result.notice = message<"converted from UTF-16">();
  } else {
    if (bytes.starts_with("\xEF\xBB\xBF")) {
      bytes.remove_prefix(3);
    }
    result.text = bytes;
  }
  if (const auto nul = result.text.find('\0'); nul != std::string::npos) {
    throw Error(message<"holds a NUL byte (at {byte}); save it as UTF-8 text">(nul));
  }
  if (const auto bad = utf8_error_offset(result.text); bad != std::string_view::npos) {
    throw NotUtf8(bad);
  }
  std::string& text = result.text;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      text[kept++] = text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      text[kept++] = '\n';
    }
  }
  text.resize(kept);
  return result;
}

DecodedCaption decode_caption(std::string_view bytes) {
  if (bytes.size() > kMaxCaptionBytes) {
    throw Error(message<"is longer than 64 KB; a caption holds a few sentences">());
  }
  DecodedCaption result = decode_text(bytes);
  std::string_view text = result.text;
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  result.text = std::string(text);
  return result;
}

}  // namespace mantissa
