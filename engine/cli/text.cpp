#include "engine/cli/text.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <numeric>

#include "engine/cli/style.h"
#include "engine/core/printable.h"

namespace mantissa {
namespace {

constexpr std::size_t kLeastColumns = 8;  // of a wrapped cell
constexpr std::size_t kLongestWord = 16;  // that is kept whole in one

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

/// The character that starts at `at`; a stray byte is one.
Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t bytes = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (bytes == 1 || at + bytes > text.size()) {
    return {first, 1};
  }
  char32_t code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  }
  return {code, bytes};
}

struct WideRange {
  char32_t first, last;
};
/// East Asian Wide and Fullwidth (Unicode Standard Annex 11), in blocks.
constexpr std::array<WideRange, 9> kWide{{{0x1100, 0x115F},
                                          {0x2E80, 0xA4CF},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF00, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};

std::size_t character_width(char32_t code) {
  if (code >= 0x300 && code <= 0x36F) {  // combining marks
    return 0;
  }
  const bool wide = std::any_of(kWide.begin(), kWide.end(), [code](const WideRange& range) {
    return code >= range.first && code <= range.last;
  });
  return wide ? 2 : 1;
}

/// Bytes of the characters at the start that fit; at least one character.
std::size_t fitting_bytes(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0, width = 0;
  while (bytes < text.size()) {
    const Character c = character_at(text, bytes);
    width += character_width(c.code);
    if (width > columns && bytes > 0) {
      break;
    }
    bytes += c.bytes;
  }
  return bytes;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    longest = std::max(longest, display_width(word));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return longest;
}

/// How narrow each column may become. The first holds names, which people copy: it stays.
std::vector<std::size_t> least_widths(const std::vector<std::vector<std::string>>& rows,
                                      const std::vector<std::size_t>& widths) {
  std::vector<std::size_t> least(widths.size(), kLeastColumns);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      least[i] = std::max(least[i], std::min(longest_word(row[i]), kLongestWord));
    }
  }
  least.front() = widths.front();
  return least;
}

/// Narrows the widest columns, one by one, until all fit or none can be narrower.
void fit(std::vector<std::size_t>& widths, const std::vector<std::size_t>& least,
         std::size_t columns) {
  constexpr std::size_t kGap = 2;
  const std::size_t room = columns - std::min(columns, kGap * (widths.size() - 1));
  std::size_t all = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  while (all > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    if (widest == widths.size()) {
      return;
    }
    --widths[widest];
    --all;
  }
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(width > used ? width - used : 0, ' ');
}

/// The lines of a cell, each indented as its first.
std::vector<std::string> cell_lines(const std::string& cell, std::size_t width) {
  if (display_width(cell) <= width) {
    return {cell};
  }
  const std::size_t indent = std::min(cell.find_first_not_of(' '), width / 2);
  std::vector<std::string> lines =
      wrapped_lines(std::string_view(cell).substr(indent), width - indent);
  for (std::string& line : lines) {
    line.insert(0, indent, ' ');
  }
  return lines;
}

/// A row of a table, its cells wrapped to the widths.
std::vector<std::string> lines_of(const std::vector<std::string>& row,
                                  const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(cell_lines(row[i], widths[i]));
    height = std::max(height, cells.back().size());
  }
  std::vector<std::string> lines;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = l < cells[i].size() ? cells[i][l] : "";
      line += i + 1 < cells.size() ? padded(cell, widths[i] + 2) : cell;
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return lines;
}

}  // namespace

std::string number_text(double value) {
  return fmt::format("{:.4g}", value);
}

std::string time_text(std::int64_t unix_milliseconds) {
  return fmt::format("{:%Y-%m-%d %H:%M}",
                     fmt::gmtime(static_cast<std::time_t>(unix_milliseconds / 1000)));
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Character c = character_at(text, i);
    width += character_width(c.code);
    i += c.bytes;
  }
  return width;
}

std::vector<std::string> wrapped_lines(std::string_view raw, std::size_t columns) {
  const std::string shown = printable(raw);
  std::string_view text = shown;
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    lines.push_back(std::move(line));
    line.clear();
  };
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!line.empty() && display_width(line) + 1 + display_width(word) > columns) {
      flush();
    }
    while (line.empty() && display_width(word) > columns) {
      const std::size_t cut = fitting_bytes(word, columns);
      line = word.substr(0, cut);
      word.remove_prefix(cut);
      flush();
    }
    line += line.empty() ? "" : " ";
    line += word;
  }
  flush();
  return lines;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  const std::size_t room = columns > indent + kLeastColumns ? columns - indent : kLeastColumns;
  std::string result;
  for (const std::string& line : wrapped_lines(text, room)) {
    result += std::string(indent, ' ') + line + '\n';
  }
  return result;
}

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row) {
    cell = printable(cell);
  }
  rows_.push_back(std::move(row));
}

void Table::print(std::ostream& out) const {
  print_within(out, shows_on_terminal(out) ? columns_of(out) : std::string::npos);
}

void Table::print_fitted(std::ostream& out) const {
  print_within(out, columns_of(out));
}

void Table::print_within(std::ostream& out, std::size_t columns) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  if (!widths.empty() && columns != std::string::npos) {
    fit(widths, least_widths(rows_, widths), columns);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const std::string& line : lines_of(rows_[r], widths)) {
      r == 0 ? out << Styled{Style::heading, line} << '\n' : out << line << '\n';
    }
  }
}

}  // namespace mantissa
