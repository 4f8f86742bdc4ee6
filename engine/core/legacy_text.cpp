// The only file that asks the system for other encodings than Unicode's.
#include "engine/core/legacy_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/utf8.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <iconv.h>
#endif

namespace mantissa {
namespace {

struct LegacyRow {
  std::string_view name;
  unsigned code_page;       ///< Windows'
  const char* system_name;  ///< iconv's, with the same characters
};

const LegacyRow& legacy_row(LegacyEncoding encoding) {
  static constexpr LegacyRow kRows[] = {
      {"shift-jis", 932, "CP932"},      {"gb18030", 54936, "GB18030"},
      {"big5", 950, "CP950"},           {"euc-kr", 949, "CP949"},
      {"windows-1252", 1252, "CP1252"}, {"windows-1251", 1251, "CP1251"}};
  return kRows[static_cast<std::size_t>(encoding)];
}

/// Whether UTF-8 holds only what people write: tables differ in whether they give the bytes that
/// they have no character for to control or private characters.
bool is_written_text(std::string_view text) {
  if (utf8_error_offset(text) != std::string_view::npos) {
    return false;
  }
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      code = code << 6 | (static_cast<std::uint8_t>(text[at + i]) & 0x3Fu);
    }
    const bool is_break = code == '\t' || code == '\n' || code == '\r';
    const bool is_control = (code < 0x20 && !is_break) || (code >= 0x7F && code < 0xA0);
    const bool is_private = (code >= 0xE000 && code < 0xF900) || code >= 0xF0000;
    if (is_control || is_private || code == 0xFFFD || (code & 0xFFFE) == 0xFFFE) {
      return false;
    }
    at += length;
  }
  return true;
}

#ifdef _WIN32

bool has_table(const LegacyRow& row) {
  return IsValidCodePage(row.code_page) != 0;
}

std::optional<std::string> by_system(std::string_view bytes, const LegacyRow& row) {
  if (bytes.size() > std::size_t{std::numeric_limits<int>::max()} / 4) {
    return std::nullopt;
  }
  const int size = static_cast<int>(bytes.size());
  const int units =
      MultiByteToWideChar(row.code_page, MB_ERR_INVALID_CHARS, bytes.data(), size, nullptr, 0);
  if (units <= 0) {
    return std::nullopt;
  }
  std::wstring wide(static_cast<std::size_t>(units), L'\0');
  MultiByteToWideChar(row.code_page, MB_ERR_INVALID_CHARS, bytes.data(), size, wide.data(), units);
  const int length = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide.data(), units, nullptr,
                                         0, nullptr, nullptr);
  if (length <= 0) {
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide.data(), units, text.data(), length,
                      nullptr, nullptr);
  return text;
}

#else

/// A conversion of the C library's.
class Conversion {
 public:
  explicit Conversion(const LegacyRow& row) : handle_(iconv_open("UTF-8", row.system_name)) {}
  ~Conversion() {
    if (is_open()) {
      iconv_close(handle_);
    }
  }
  Conversion(const Conversion&) = delete;
  Conversion& operator=(const Conversion&) = delete;

  bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(-1); }
  std::optional<std::string> convert(std::string_view bytes) const {
    std::string from(bytes);
    std::string text(4 * bytes.size() + 16, '\0');  // no byte becomes more
    char* in = from.data();
    char* out = text.data();
    std::size_t left = from.size(), room = text.size();
    // A count above 0 is of characters that could not be converted exactly.
    if (iconv(handle_, &in, &left, &out, &room) != 0 || left != 0 ||
        iconv(handle_, nullptr, nullptr, &out, &room) != 0) {
      return std::nullopt;
    }
    text.resize(text.size() - room);
    return text;
  }

 private:
  iconv_t handle_;
};

bool has_table(const LegacyRow& row) {
  return Conversion(row).is_open();
}

std::optional<std::string> by_system(std::string_view bytes, const LegacyRow& row) {
  return Conversion(row).convert(bytes);
}

#endif

}  // namespace

std::string_view legacy_name(LegacyEncoding encoding) {
  return legacy_row(encoding).name;
}

std::optional<LegacyEncoding> legacy_encoding(std::string_view name) {
  for (const LegacyEncoding encoding : kLegacyEncodings) {
    if (name == legacy_name(encoding)) {
      return encoding;
    }
  }
  return std::nullopt;
}

Message legacy_title(LegacyEncoding encoding) {
  switch (encoding) {
    case LegacyEncoding::shift_jis:
      return message<"Japanese (Shift-JIS)">();
    case LegacyEncoding::gb18030:
      return message<"Simplified Chinese (GB18030, GBK)">();
    case LegacyEncoding::big5:
      return message<"Traditional Chinese (Big5)">();
    case LegacyEncoding::euc_kr:
      return message<"Korean (EUC-KR)">();
    case LegacyEncoding::windows_1252:
      return message<"Western European (Windows-1252)">();
    case LegacyEncoding::windows_1251:
      return message<"Cyrillic (Windows-1251)">();
  }
  return {};
}

bool has_legacy_encoding(LegacyEncoding encoding) {
  static const auto kHas = [] {
    std::array<bool, kLegacyEncodings.size()> has{};
    std::ranges::transform(kLegacyEncodings, has.begin(),
                           [](LegacyEncoding one) { return has_table(legacy_row(one)); });
    return has;
  }();
  return kHas[static_cast<std::size_t>(encoding)];
}

std::optional<std::string> legacy_to_utf8(std::string_view bytes, LegacyEncoding encoding) {
  if (bytes.empty()) {
    return std::string();
  }
  if (!has_legacy_encoding(encoding)) {
    throw Error(message<"this system has no tables for {encoding}; on Linux they come with the C "
                        "library's gconv modules">(legacy_title(encoding)));
  }
  std::optional<std::string> text = by_system(bytes, legacy_row(encoding));
  return text && is_written_text(*text) ? text : std::nullopt;
}

std::vector<LegacyEncoding> legacy_encodings_of(std::string_view bytes) {
  std::vector<LegacyEncoding> encodings;
  std::ranges::copy_if(kLegacyEncodings, std::back_inserter(encodings), [&](LegacyEncoding e) {
    return has_legacy_encoding(e) && legacy_to_utf8(bytes, e).has_value();
  });
  return encodings;
}

}  // namespace mantissa
