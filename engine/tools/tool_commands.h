#pragma once
// Commands that messages name, for a person to type.

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/preset/preset.h"
#include "engine/tools/tool_request.h"

namespace mantissa {

/// `mantissa resize` in place of the conversion that was asked for; `file` and `format` are what it
/// came to.
std::string resize_command(const ToolRequest& o, std::string_view file, OutputFormat format,
                           std::int64_t rank);
/// `mantissa convert` of an inspected file, for the program with this key.
std::string convert_command(const ToolRequest& o, std::string_view reader);

}  // namespace mantissa
