#pragma once

#include <cstddef>
#include <ostream>
#include <string_view>

namespace mantissa {

/// Emphasis of text on a terminal with colours; elsewhere the text is plain.
enum class Style { heading, good, warning, bad };

/// Text with its emphasis: `out << Styled{Style::heading, "Options"}`.
struct Styled {
  Style style;
  std::string_view text;
};
std::ostream& operator<<(std::ostream& out, const Styled& styled);

/// Emphasis of a run's state.
Style state_style(std::string_view state);

/// Width of the stream's terminal; 80 elsewhere.
std::size_t columns_of(const std::ostream& out);
/// Width of paragraphs there: longer lines are hard to read.
std::size_t paragraph_columns(const std::ostream& out);
/// Whether the stream is a terminal: tables are made to fit it.
bool shows_on_terminal(const std::ostream& out);

/// Plain text from now on.
void drop_colors(std::ostream& out);

}  // namespace mantissa
