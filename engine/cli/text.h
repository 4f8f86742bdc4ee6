#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// Four significant digits: "0.1234", "1e-05".
std::string number_text(double value);
/// UTC: "2026-01-31 12:34".
std::string time_text(std::int64_t unix_milliseconds);
/// Terminal columns of UTF-8 text: two for each wide character of East Asia.
std::size_t display_width(std::string_view text);
/// The words of `text`, made printable, on lines of at most `columns`, each after `indent` spaces
/// and ended.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);
/// The lines of `text` in `columns`, without indentation; longer words are cut.
std::vector<std::string> wrapped_lines(std::string_view text, std::size_t columns);

/// Columns aligned by spaces; every cell is made printable. On a terminal that is too narrow, the
/// widest columns but the first are wrapped.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row);
  void print(std::ostream& out) const;
  /// Prints it at most 80 columns wide where there is no terminal.
  void print_fitted(std::ostream& out) const;

 private:
  void print_within(std::ostream& out, std::size_t columns) const;

  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mantissa
