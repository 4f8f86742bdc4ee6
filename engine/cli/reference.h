#pragma once
// The references under resources/docs/reference that follow from the tables of settings and
// commands.

#include <string>

#include "engine/cli/command_tree.h"

namespace mantissa {

/// Settings of a preset by section, as Markdown: resources/docs/reference/settings.md.
std::string settings_markdown();
/// Commands with their options and examples, and the topics of the help, as Markdown:
/// resources/docs/reference/command-line.md.
std::string commands_markdown(const CommandInfo& root);

}  // namespace mantissa
