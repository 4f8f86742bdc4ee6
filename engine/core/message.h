#pragma once
// User-visible text: a template with {names} and their values. English for the command line, logs
// and files; the studio translates the template and fills in the same values.

#include <concepts>
#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mantissa {

/// A string literal as a template argument.
template <std::size_t N>
struct Literal {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal turns into it where one is expected.
  constexpr Literal(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) {
      text[i] = literal[i];
    }
  }
  char text[N]{};
};

/// The next "{name}" of a template from `from` on: lowercase letters, digits and underscores. Other
/// braces are literal text.
struct MessagePlace {
  std::size_t begin = std::string_view::npos;  ///< npos: none left
  std::size_t end = std::string_view::npos;    ///< after the closing brace
  std::string_view name;
};
constexpr MessagePlace next_place(std::string_view text, std::size_t from) {
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t begin = from; begin < text.size(); ++begin) {
    if (text[begin] != '{') {
      continue;
    }
    std::size_t end = begin + 1;
    while (end < text.size() && in_name(text[end])) {
      ++end;
    }
    if (end < text.size() && text[end] == '}' && end > begin + 1) {
      return {begin, end + 1, text.substr(begin + 1, end - begin - 1)};
    }
  }
  return {};
}

/// The distinct names of a template, in the order in which they first appear.
std::vector<std::string_view> place_names(std::string_view text);

/// How many values a template takes: one per distinct name, in order of first appearance.
constexpr std::size_t value_count(std::string_view text) {
  std::size_t count = 0;
  for (MessagePlace p = next_place(text, 0); p.begin != std::string_view::npos;
       p = next_place(text, p.end)) {
    bool seen = false;
    for (MessagePlace q = next_place(text, 0); q.begin < p.begin; q = next_place(text, q.end)) {
      seen = seen || q.name == p.name;
    }
    count += seen ? 0 : 1;
  }
  return count;
}

/// A template, registered in a list at program start, so that a test can check that each is
/// translated.
struct MessageTemplate {
  explicit MessageTemplate(const char* template_text);
  const char* text;
  const MessageTemplate* next;
};
/// The first of all templates; null at the end.
const MessageTemplate* message_templates();

template <Literal Text>
inline const MessageTemplate message_template{Text.text};

class Message {
 public:
  Message() = default;
  /// A template and its values in the order of its names. For texts from tables and files;
  /// elsewhere message<"…">(…) checks the number of values.
  Message(std::string source, std::vector<Message> values);
  /// Text that isn't translated: names, numbers, paths, another library's message.
  static Message verbatim(std::string text);
  /// `items` separated by `between`. See joined.
  static Message list(std::string between, std::vector<Message> items);

  bool empty() const;
  /// In English.
  std::string text() const;
  enum class Kind { verbatim, filled, list };
  Kind kind() const { return kind_; }
  /// The template, a list's separator, or the verbatim text.
  const std::string& source() const { return source_; }
  /// The template's values, in the order of their names' first appearance; or a list's items.
  std::span<const Message> values() const { return values_; }

  bool operator==(const Message& other) const { return text() == other.text(); }

 private:
  Kind kind_ = Kind::verbatim;
  std::string source_;
  std::vector<Message> values_;
};

/// The message as text. `translate` is applied to its template and those of its values, and may
/// reorder the names.
std::string format_message(const Message& message,
                           const std::function<std::string(const std::string&)>& translate);

std::ostream& operator<<(std::ostream& out, const Message& message);

template <std::same_as<Message> Value>
Message message_value(Value value) {
  return value;
}
inline Message message_value(std::string_view value) {
  return Message::verbatim(std::string(value));
}
template <std::integral Number>
Message message_value(Number value) {
  return Message::verbatim(std::to_string(value));
}

/// message<"could not open {file}: {reason}">(path, reason). Values are text, whole numbers and
/// messages; other numbers are formatted by the caller, who knows the needed precision.
template <Literal Text, typename... Values>
Message message(Values&&... values) {
  static_assert(value_count(Text.text) == sizeof...(Values), "one value for each {name}");
  std::vector<Message> list;
  list.reserve(sizeof...(Values));
  (list.push_back(message_value(std::forward<Values>(values))), ...);
  return Message(message_template<Text>.text, std::move(list));
}

/// A list in one line: joined<"; ">(reasons).
template <Literal Between>
Message joined(std::vector<Message> items) {  // NOLINT(performance-unnecessary-value-param)
  return Message::list(message_template<Between>.text, std::move(items));
}

}  // namespace mantissa
