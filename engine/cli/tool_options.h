#pragma once
// Commands of the tools on files of models and adapters, whose options stand in a table.

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/cli/commands.h"
#include "engine/tools/run_tool.h"

namespace mantissa {

/// The parsed options of a tool.
struct ToolArguments {
  ToolRequest request;
  std::vector<std::string> adapters;  ///< "file", "file:0.8"
};

/// The tool's command with its options, bound to `arguments`, which must outlive the parsing.
CLI::App* add_tool(CLI::App& app, Tool tool, ToolArguments& arguments);
/// Runs it. Reports warnings, how programs read what was written, and with --json `done` with the
/// path, else what was done.
int run_tool_command(CommandSession& session, Tool tool, const ToolArguments& arguments,
                     nlohmann::ordered_json (*done)(const ToolResult&));

}  // namespace mantissa
