#pragma once
#include <string>

#include "engine/core/message.h"

namespace mantissa {

/// A message as JSON: {"template": "…", "values": […]}, {"between": "; ", "items": […]}, or a
/// string where it is verbatim.
std::string message_json(const Message& message);
/// Throws Error where `text` is nothing of this.
Message parse_message(const std::string& text);

}  // namespace mantissa
