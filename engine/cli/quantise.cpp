#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/tool_options.h"

namespace mantissa {

void add_quantise(CLI::App& app, CommandSession& session, Action& action) {
  const auto o = std::make_shared<ToolArguments>();
  add_tool(app, Tool::quantise, *o)->callback([&session, &action, o] {
    action = [&session, o] {
      return run_tool_command(session, Tool::quantise, *o, [](const ToolResult& result) {
        return nlohmann::ordered_json{{"weights", result.weights.size()},
                                      {"least_sqnr", result.weights.front().sqnr},
                                      {"least", result.weights.front().name}};
      });
    };
  });
}

}  // namespace mantissa
