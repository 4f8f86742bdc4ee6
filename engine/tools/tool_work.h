#pragma once
// One function per tool; run_tool calls them.

#include "engine/tools/tool_request.h"

namespace mantissa {

ToolResult merge_models(const ToolRequest& request, const ToolWatch& watch);
ToolResult quantise_model(const ToolRequest& request, const ToolWatch& watch);
ToolResult convert_file(const ToolRequest& request, const ToolWatch& watch);
ToolResult extract_file(const ToolRequest& request, const ToolWatch& watch);
ToolResult inspect_file(const ToolRequest& request, const ToolWatch& watch);

}  // namespace mantissa
