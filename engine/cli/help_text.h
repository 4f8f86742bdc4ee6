#pragma once
// Help as text, from the tables of commands, settings, topics and findings.

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/command_tree.h"
#include "engine/cli/topics.h"
#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"

namespace mantissa {

/// Prints the help of a command below `root`, or of the program if `command` is `root`.
void print_command_help(std::ostream& out, const CommandInfo& root, const CommandInfo& command);
/// "mantissa sample --base PATH --out PATH [options]".
std::string usage_of(const CommandInfo& command);

/// Range, default, advice, and when it has an effect.
void print_setting_help(std::ostream& out, const Setting& setting);
/// Every setting of a section, or of all, in the same form.
void print_settings_help(std::ostream& out, const std::vector<const Setting*>& chosen);
/// The section of a setting's key: "adapter"; of "name" and others without one, "about".
std::string_view section_of(const Setting& setting);

void print_topic_help(std::ostream& out, const Topic& topic);
/// A conflict of the catalogue.
void print_finding_help(std::ostream& out, const CatalogueEntry& entry);

}  // namespace mantissa
