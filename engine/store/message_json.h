#pragma once
#include <string>

#include "engine/core/message.h"

namespace mantissa {

/// A message as JSON: {"template": "…", "values": […]}, {"between": "; ", "items": […]}, or a
/// string if it is verbatim.
std::string message_json(const Message& message);
/// Throws Error if `text` is none of these.
Message parse_message(const std::string& text);
/// An event's message; its English `text` where that isn't known or can't be read.
Message event_message(const std::string& text, const std::string& json);

}  // namespace mantissa
