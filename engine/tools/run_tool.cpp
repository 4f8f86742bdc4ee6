#include "engine/tools/run_tool.h"

#include <algorithm>

#include "engine/tools/tool_work.h"

namespace mantissa {

ToolResult run_tool(Tool tool, const ToolRequest& request, const ToolWatch& watch) {
  switch (tool) {
    case Tool::merge:
      return merge_models(request, watch);
    case Tool::extract:
      return extract_file(request, watch);
    case Tool::convert:
    case Tool::resize:
      return convert_file(request, watch);
    case Tool::quantise:
      return quantise_model(request, watch);
    case Tool::inspect:
      return inspect_file(request, watch);
  }
  return {};
}

std::vector<const Reader*> readers_of(const std::vector<std::string>& keys) {
  const auto has = [&](std::string_view key) { return std::ranges::find(keys, key) != keys.end(); };
  std::vector<const Reader*> list;
  for (const Reader* reader : readers()) {
    if (has("all") || has(reader->key)) {
      list.push_back(reader);
    }
  }
  return list;
}

}  // namespace mantissa
