#pragma once
#include <system_error>

#include "engine/core/message.h"

namespace mantissa {

/// The system's message for an error: the most common ones as templates, others verbatim.
Message system_message(const std::error_code& error);
/// Text of errno, or of GetLastError on Windows.
Message system_message(int code);

}  // namespace mantissa
