#include "engine/caption/recode_captions.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

bool is_utf8(std::string_view text) {
  return utf8_error_offset(text) == std::string_view::npos;
}

/// Calls `take` with each line, its end included. No encoding has a line end within a character.
template <typename Take>
void each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t length = std::min(line.size() + 1, text.size());
    take(text.substr(0, length));
    text.remove_prefix(length);
  }
}

/// At most `most` characters of a text, its white space as single spaces.
std::string one_line_of(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t count = 0;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      space = !line.empty();
      continue;
    }
    const bool begins = (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    if (begins) {
      count += space ? 2 : 1;
      if (count > most) {
        return line + "…";
      }
      line += space ? " " : "";
      space = false;
    }
    line += c;
  }
  return line;
}

}  // namespace

std::vector<LegacyCaptions> legacy_captions(const DatasetReport& report) {
  std::vector<LegacyCaptions> files;
  std::set<fs::path> seen;  // by images that share it, or by its lines
  for (const SkippedFile& skipped : report.skipped) {
    if (skipped.legacy.empty() || !seen.insert(skipped.legacy).second) {
      continue;
    }
    try {
      std::string bytes = read_text(skipped.legacy);
      if (!is_utf8(bytes)) {
        files.push_back({skipped.legacy, std::move(bytes), skipped.kind == SkipKind::metadata});
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::input) {
        throw;
      }
    }
  }
  return files;
}

std::optional<std::string> recoded(const LegacyCaptions& captions, LegacyEncoding encoding) {
  if (!captions.by_line) {
    return legacy_to_utf8(captions.bytes, encoding);
  }
  std::optional<std::string> text = std::string();
  each_line(captions.bytes, [&](std::string_view line) {
    if (text && is_utf8(line)) {
      *text += line;
    } else if (text) {
      const std::optional<std::string> read = legacy_to_utf8(line, encoding);
      text = read ? std::optional(std::move(*text) + *read) : std::nullopt;
    }
  });
  return text;
}

std::optional<std::string> recoded_excerpt(const LegacyCaptions& captions, LegacyEncoding encoding,
                                           std::size_t most) {
  std::optional<std::string> text = recoded(captions, encoding);
  if (text && captions.by_line) {
    text.reset();
    each_line(captions.bytes, [&](std::string_view line) {
      if (!text && !is_utf8(line)) {
        text = legacy_to_utf8(line, encoding);
      }
    });
  }
  if (!text) {
    return std::nullopt;
  }
  const auto telling = std::ranges::find_if(
      *text, [](char one) { return static_cast<unsigned char>(one) >= 0x80u; });
  const auto lead = static_cast<std::size_t>(telling - text->begin());
  const bool is_late = telling != text->end() && lead > most / 3;
  return (is_late ? "…" : "") +
         one_line_of(is_late ? std::string_view(*text).substr(lead - most / 3) : *text, most);
}

std::vector<LegacyEncoding> encodings_of(const LegacyCaptions& captions) {
  std::vector<LegacyEncoding> encodings;
  std::ranges::copy_if(kLegacyEncodings, std::back_inserter(encodings), [&](LegacyEncoding e) {
    return has_legacy_encoding(e) && recoded(captions, e).has_value();
  });
  return encodings;
}

bool recode(const LegacyCaptions& captions, LegacyEncoding encoding, CaptionJournal& journal) {
  const std::optional<std::string> text = recoded(captions, encoding);
  if (text) {
    journal.rewrite(captions.file, captions.bytes, *text);
  }
  return text.has_value();
}

}  // namespace mantissa
