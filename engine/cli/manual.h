#pragma once

#include <string>

#include "engine/cli/command_tree.h"

namespace mantissa {

/// mantissa(1) for man: commands with options and examples, topics, settings by name.
std::string manual_page(const CommandInfo& root);

}  // namespace mantissa
