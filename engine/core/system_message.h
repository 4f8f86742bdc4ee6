#pragma once
#include <system_error>

#include "engine/core/message.h"

namespace mantissa {

/// What the system says of an error: the commonest as templates, others in the system's words.
Message system_message(const std::error_code& error);
/// Of errno, or of GetLastError on Windows.
Message system_message(int code);

}  // namespace mantissa
