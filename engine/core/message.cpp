#include "engine/core/message.h"

#include <algorithm>

namespace mantissa {
namespace {

/// Initialised before any template of another file registers: constant initialisation comes first.
constinit const MessageTemplate* first_template = nullptr;

}  // namespace

MessageTemplate::MessageTemplate(const char* template_text)
    : text(template_text), next(std::exchange(first_template, this)) {}

const MessageTemplate* message_templates() {
  return first_template;
}

std::vector<std::string_view> place_names(std::string_view text) {
  std::vector<std::string_view> names;
  for (MessagePlace p = next_place(text, 0); p.begin != std::string_view::npos;
       p = next_place(text, p.end)) {
    if (std::find(names.begin(), names.end(), p.name) == names.end()) {
      names.push_back(p.name);
    }
  }
  return names;
}

Message::Message(std::string source, std::vector<Message> values)
    : kind_(Kind::filled), source_(std::move(source)), values_(std::move(values)) {}

Message Message::verbatim(std::string text) {
  Message message;
  message.source_ = std::move(text);
  return message;
}

Message Message::list(std::string between, std::vector<Message> items) {
  Message message(std::move(between), std::move(items));
  message.kind_ = Kind::list;
  return message;
}

bool Message::empty() const {
  return text().empty();
}

std::string Message::text() const {
  return format_message(*this, [](const std::string& source) { return source; });
}

std::string format_message(const Message& message,
                           const std::function<std::string(const std::string&)>& translate) {
  if (message.kind() == Message::Kind::verbatim) {
    return message.source();
  }
  const std::span<const Message> values = message.values();
  const std::string words = translate(message.source());
  std::string out;
  if (message.kind() == Message::Kind::list) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      out += (i == 0 ? "" : words) + format_message(values[i], translate);
    }
    return out;
  }
  const std::vector<std::string_view> names = place_names(message.source());
  const std::string_view text = words;
  std::size_t from = 0;
  for (MessagePlace p = next_place(text, 0); p.begin != std::string_view::npos;
       p = next_place(text, p.end)) {
    out += text.substr(from, p.begin - from);
    const auto index =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), p.name) - names.begin());
    out += index < values.size() ? format_message(values[index], translate)
                                 : std::string(text.substr(p.begin, p.end - p.begin));
    from = p.end;
  }
  return out.append(text.substr(from));
}

std::ostream& operator<<(std::ostream& out, const Message& message) {
  return out << message.text();
}

}  // namespace mantissa
