#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mantissa {

/// "mantissa presets import": the command that was called, as far as it was understood.
std::string called_command(const CLI::App& app);

/// The command is the first word that is no option: before parsing, so that no option's value is
/// taken for it. Returns one line about a word that is no command, else nothing.
std::string command_problem(CLI::App& app, const std::vector<std::string>& args);

/// One line for a call that the parser refused.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace mantissa
