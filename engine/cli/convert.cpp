// The commands that write an adapter: convert, resize, extract.
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/tool_options.h"

namespace mantissa {
namespace {

void add_adapter_tool(CLI::App& app, CommandSession& session, Action& action, Tool tool) {
  const auto o = std::make_shared<ToolArguments>();
  add_tool(app, tool, *o)->callback([&session, &action, o, tool] {
    action = [&session, o, tool] {
      return run_tool_command(session, tool, *o, [](const ToolResult& result) {
        return nlohmann::ordered_json{{"modules", result.modules},
                                      {"rank", result.rank},
                                      {"error", result.error},
                                      {"renamed", result.renamed}};
      });
    };
  });
}

}  // namespace

void add_convert(CLI::App& app, CommandSession& session, Action& action) {
  add_adapter_tool(app, session, action, Tool::convert);
}

void add_resize(CLI::App& app, CommandSession& session, Action& action) {
  add_adapter_tool(app, session, action, Tool::resize);
}

void add_extract(CLI::App& app, CommandSession& session, Action& action) {
  add_adapter_tool(app, session, action, Tool::extract);
}

}  // namespace mantissa
