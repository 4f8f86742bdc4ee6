#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/cli/completion.h"

namespace mantissa {
namespace {

constexpr std::string_view kValues = R"zsh(
_mantissa_presets() {
  local -a presets=($mantissa_presets)
  _alternative 'presets:preset:($presets)' 'files:preset file:_files'
}

_mantissa_runs() {
  local -a runs=(${(f)"$(mantissa runs list 2>/dev/null | awk 'NR > 1 && $1 ~ /^[0-9]/ { print $1 }')"})
  _alternative 'runs:run:($runs)' 'folders:run folder:_files -/'
}

_mantissa_assignments() {
  if compset -P 1 '*='; then
    local -a values=(${(s: :)mantissa_values[${IPREFIX%%=*}]})
    compadd -a values
  else
    compadd -S = -k mantissa_values
  fi
}
)zsh";

/// Inside single quotes, as the description of a specification.
std::string described(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
    } else {
      escaped += std::string("[]:\\").find(c) != std::string::npos ? "\\" : "";
      escaped += c;
    }
  }
  return escaped;
}

std::string completer(const OptionInfo& option) {
  switch (option.kind) {
    case ArgumentKind::file:
      return option.words.empty()
                 ? "_files"
                 : fmt::format("{{_files; compadd {}}}", fmt::join(option.words, " "));
    case ArgumentKind::folder:
      return option.words.empty()
                 ? "_files -/"
                 : fmt::format("{{_files -/; compadd {}}}", fmt::join(option.words, " "));
    case ArgumentKind::preset:
      return "_mantissa_presets";
    case ArgumentKind::run:
      return "_mantissa_runs";
    case ArgumentKind::assignment:
      return "_mantissa_assignments";
    case ArgumentKind::words:
      return fmt::format("({})", fmt::join(option.words, " "));
    case ArgumentKind::text:
    case ArgumentKind::none:
      return " ";
  }
  return " ";
}

std::string specification(const OptionInfo& option) {
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", described(option.value), completer(option));
  if (option.positional) {
    return fmt::format("'{}:{}:{}'", option.repeats ? "*" : "", described(option.name),
                       completer(option));
  }
  return fmt::format("'{}{}[{}]{}'", option.repeats ? "*" : "", option.name, described(option.text),
                     value);
}

/// _arguments of a command; of one that holds others, a choice among them.
std::string branch(const CommandInfo& command, const std::string& indent) {
  if (command.commands.empty()) {
    std::string text = indent + "_arguments $global";
    for (const OptionInfo& option : command.options) {
      text += " \\\n" + indent + "  " + specification(option);
    }
    return text + "\n";
  }
  std::string text = indent + "commands=(";
  for (const CommandInfo& below : command.commands) {
    text += fmt::format(" '{}:{}'", below.path.back(), described(below.summary));
  }
  text += " )\n" + indent +
          "_arguments -C $global '1:command:->command' '*::argument:->argument'\n" + indent +
          "case $state in\n" + indent + "  command) _describe command commands ;;\n" + indent +
          "  argument)\n" + indent + "    case $words[1] in\n";
  for (const CommandInfo& below : command.commands) {
    text += fmt::format("{}      {})\n{}{}        ;;\n", indent, below.path.back(),
                        branch(below, indent + "        "), indent);
  }
  return text + indent + "    esac ;;\n" + indent + "esac\n";
}

}  // namespace

std::string zsh_completion(const CommandInfo& root, const CompletionWords& words) {
  std::string script = "#compdef mantissa\n\n";
  script += fmt::format("typeset -ga mantissa_presets=({})\ntypeset -gA mantissa_values=(\n",
                        fmt::join(words.presets, " "));
  for (const CompletionWords::Key& key : words.keys) {
    script += fmt::format("  {} '{}'\n", key.key, fmt::join(key.values, " "));
  }
  script += ")\n" + std::string(kValues) + "\n_mantissa() {\n";
  script += "  local curcontext=$curcontext state line\n  local -a commands global=(\n";
  for (const OptionInfo& option : root.options) {
    script += "    " + specification(option) + "\n";
  }
  script += "  )\n" + branch(root, "  ") + "}\n\n";
  return script +
         "if [[ $funcstack[1] == _mantissa ]]; then\n  _mantissa \"$@\"\nelse\n  compdef "
         "_mantissa mantissa\nfi\n";
}

}  // namespace mantissa
