#include "engine/cli/style.h"

#include <algorithm>

#include "engine/cli/output.h"

namespace mantissa {
namespace {

constexpr std::size_t kUsualColumns = 80;
constexpr std::size_t kMostParagraphColumns = 100;
constexpr std::size_t kNarrowest = 30;

OutputBuffer* buffer_of(const std::ostream& out) {
  return dynamic_cast<OutputBuffer*>(out.rdbuf());
}

std::string_view sequence_of(Style style) {
  switch (style) {
    case Style::heading:
      return "\x1b[1m";
    case Style::good:
      return "\x1b[32m";
    case Style::warning:
      return "\x1b[33m";
    case Style::bad:
      return "\x1b[31m";
  }
  return {};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Styled& styled) {
  OutputBuffer* buffer = buffer_of(out);
  if (buffer == nullptr || !buffer->look().colors) {
    return out << styled.text;
  }
  buffer->control(sequence_of(styled.style));
  out << styled.text;
  buffer->control("\x1b[0m");
  return out;
}

Style state_style(std::string_view state) {
  return state == "finished"                            ? Style::good
         : state == "failed"                            ? Style::bad
         : state == "interrupted" || state == "stopped" ? Style::warning
                                                        : Style::heading;
}

std::size_t columns_of(const std::ostream& out) {
  const OutputBuffer* buffer = buffer_of(out);
  if (buffer == nullptr || !buffer->look().terminal) {
    return kUsualColumns;
  }
  return std::max(kNarrowest, static_cast<std::size_t>(std::max(buffer->look().columns(), 0)));
}

std::size_t paragraph_columns(const std::ostream& out) {
  return std::min(columns_of(out), kMostParagraphColumns);
}

bool shows_on_terminal(const std::ostream& out) {
  const OutputBuffer* buffer = buffer_of(out);
  return buffer != nullptr && buffer->look().terminal;
}

void drop_colors(std::ostream& out) {
  if (OutputBuffer* buffer = buffer_of(out)) {
    buffer->look().colors = false;
  }
}

}  // namespace mantissa
