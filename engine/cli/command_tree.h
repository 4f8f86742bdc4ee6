#pragma once
// Commands and options as data, read from the parser: help, completion and the manual show the
// same.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace mantissa {

/// Group of options that are accepted but not shown. The parser's own, an empty name, would take
/// their names out of its messages.
inline constexpr const char* kHiddenGroup = "hidden";

/// What a value is, for completion.
enum class ArgumentKind { none, words, file, folder, preset, run, assignment, text };

struct OptionInfo {
  std::string name;                ///< "--base", or "PRESET" for an argument without one
  std::string value;               ///< "PATH"; empty for a flag
  std::string text;                ///< what it does, with range, choices and default; one line
  std::vector<std::string> words;  ///< accepted values, or values beside files
  ArgumentKind kind = ArgumentKind::none;
  bool positional = false, required = false, repeats = false;
  /// "--base PATH".
  std::string call() const { return value.empty() || positional ? name : name + " " + value; }
};

struct CommandInfo {
  std::vector<std::string> path;    ///< {"presets", "import"}; empty for the program
  std::string section;              ///< of the help
  std::string summary;              ///< one line, without a full stop
  std::vector<std::string> notes;   ///< further paragraphs
  std::vector<OptionInfo> options;  ///< those that the help shows
  std::vector<CommandInfo> commands;
  bool takes_settings = false;  ///< trains by a preset: all settings concern it
  /// "presets import".
  std::string name() const;
};

/// The program with all its commands. Hidden options are left out.
CommandInfo command_tree(CLI::App& app);
/// The command with this path below `root`; null if there is none.
const CommandInfo* find_command(const CommandInfo& root, const std::vector<std::string>& path);
/// Every command that can be run, without those that only hold others.
std::vector<const CommandInfo*> runnable_commands(const CommandInfo& root);

}  // namespace mantissa
