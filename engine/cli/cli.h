#pragma once
// The `mantissa` program.

#include <string>
#include <vector>

#include "engine/cli/context.h"

namespace mantissa {

/// Runs one command with this machine's engine, terminal and folders. Returns the exit status.
int run_cli(int argc, char** argv);

/// Runs the program in a given environment; `args` without the program's name.
int run_cli(const std::vector<std::string>& args, const CliContext& context);

}  // namespace mantissa
