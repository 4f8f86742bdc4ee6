#pragma once
#include <functional>
#include <string>

#include "engine/core/message.h"

namespace mantissa {

/// The message as text, with every template in it, its own and those of its values, put through
/// `translate`, which may move the names about.
std::string format_message(const Message& message,
                           const std::function<std::string(const std::string&)>& translate);

}  // namespace mantissa
