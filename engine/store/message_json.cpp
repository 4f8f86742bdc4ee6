#include "engine/store/message_json.h"

#include <nlohmann/json.hpp>

#include "engine/core/error.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Deeper than any message nests; beyond it the text isn't one.
constexpr int kMostLevels = 32;

Json to_json(const Message& message) {
  if (message.kind() == Message::Kind::verbatim) {
    return message.source();
  }
  Json values = Json::array();
  for (const Message& value : message.values()) {
    values.push_back(to_json(value));
  }
  return message.kind() == Message::Kind::list
             ? Json{{"between", message.source()}, {"items", std::move(values)}}
             : Json{{"template", message.source()}, {"values", std::move(values)}};
}

Message from_json(const Json& json, int level = 0) {
  if (json.is_string()) {
    return Message::verbatim(json.get<std::string>());
  }
  if (level == kMostLevels) {
    throw Error(Message::verbatim("a stored message is nested too deeply"));
  }
  const bool list = json.contains("items");
  std::vector<Message> values;
  for (const Json& value : json.at(list ? "items" : "values")) {
    values.push_back(from_json(value, level + 1));
  }
  return list ? Message::list(json.at("between"), std::move(values))
              : Message(json.at("template"), std::move(values));
}

}  // namespace

std::string message_json(const Message& message) {
  return to_json(message).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Message parse_message(const std::string& text) {
  try {
    return from_json(Json::parse(text));
  } catch (const Json::exception& e) {
    throw Error(Message::verbatim(std::string("a stored message can't be read: ") + e.what()));
  }
}

Message event_message(const std::string& text, const std::string& json) {
  try {
    return json.empty() ? Message::verbatim(text) : parse_message(json);
  } catch (const Error&) {
    return Message::verbatim(text);
  }
}

}  // namespace mantissa
