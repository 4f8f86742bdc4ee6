#pragma once
// The work of the tools on files of models and adapters.

#include <string>
#include <vector>

#include "engine/tools/tool_request.h"

namespace mantissa {

/// Throws Error naming the file or option and what is wrong with it, before the work where that is
/// possible, and DiskFull.
ToolResult run_tool(Tool tool, const ToolRequest& request, const ToolWatch& watch);

/// Readers of these keys, "all" for every one.
std::vector<const Reader*> readers_of(const std::vector<std::string>& keys);

}  // namespace mantissa
