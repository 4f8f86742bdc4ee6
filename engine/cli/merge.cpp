#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/tool_options.h"

namespace mantissa {

void add_merge(CLI::App& app, CommandSession& session, Action& action) {
  const auto o = std::make_shared<ToolArguments>();
  add_tool(app, Tool::merge, *o)->callback([&session, &action, o] {
    action = [&session, o] {
      return run_tool_command(session, Tool::merge, *o, [](const ToolResult& result) {
        return nlohmann::ordered_json{{"modules", result.modules}};
      });
    };
  });
}

}  // namespace mantissa
