#pragma once
#include <functional>
#include <string>

#include "engine/core/message.h"

namespace mantissa {

/// The message as text. `translate` is applied to its template and those of its values, and may
/// reorder the names.
std::string format_message(const Message& message,
                           const std::function<std::string(const std::string&)>& translate);

}  // namespace mantissa
