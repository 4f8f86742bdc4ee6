#pragma once

#include <string_view>

#include "engine/core/message.h"

namespace mantissa {

/// Whether Windows reserves this name for a device, with or without an extension, in any case.
bool is_device_name(std::string_view name);

/// Why no file or folder of Windows has this name, UTF-8: it is refused, or silently another.
/// Empty if one can.
Message windows_name_problem(std::string_view name);

}  // namespace mantissa
