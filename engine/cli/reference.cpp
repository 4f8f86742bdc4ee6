#include "engine/cli/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "engine/cli/examples.h"
#include "engine/cli/help_text.h"
#include "engine/cli/topics.h"
#include "engine/preset/preset.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

/// Text outside of code: what Markdown would take for marks or tags is escaped.
std::string plain(std::string_view text) {
  std::string escaped;
  bool code = false;
  for (const char c : text) {
    code = c == '`' ? !code : code;
    escaped +=
        !code && (c == '*' || c == '_' || c == '<') ? std::string("\\") + c : std::string(1, c);
  }
  return escaped;
}

/// "during a run", "when a run is resumed"; empty for a setting that is fixed at the start.
std::string_view change_text(Change change) {
  return change == Change::live        ? "during a run"
         : change == Change::on_resume ? "when a run is resumed"
                                       : "";
}

std::string setting_text(const Setting& s) {
  const std::string unit = s.unit.empty() ? "" : fmt::format(" ({})", s.unit);
  std::string text = fmt::format("\n### `{}`\n\n{}: {}{}; default `{}`. {}\n", s.key,
                                 plain(s.label), plain(allowed_values(s).text()), unit,
                                 default_value(s.key).dump(), plain(s.help));
  if (!s.fields.empty()) {
    text += '\n';
  }
  for (const ItemField& field : s.fields) {
    text += fmt::format("- `{}`: {}\n", field.key, plain(field.help));
  }
  if (!s.applies_if.key.empty()) {
    text += fmt::format("\nHas an effect with `{}` {}.\n", s.applies_if.key,
                        fmt::join(s.applies_if.values, ", "));
  }
  if (const std::string_view change = change_text(s.change); !change.empty()) {
    text += fmt::format("\nMay change {}.\n", change);
  }
  return text;
}

std::string option_rows(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& option : command.options) {
    text += option.text.empty() ? fmt::format("- `{}`\n", option.call())
                                : fmt::format("- `{}`: {}\n", option.call(), plain(option.text));
  }
  return text;
}

std::string command_section(const CommandInfo& command) {
  std::string text = fmt::format("\n## {}\n\n{}.\n\n    {}\n", command.name(),
                                 plain(command.summary), usage_of(command));
  for (const std::string& note : command.notes) {
    text += fmt::format("\n{}\n", plain(note));
  }
  if (!command.options.empty()) {
    text += '\n' + option_rows(command);
  }
  std::string calls;
  for (const Example& example : examples()) {
    if (example.command == command.name()) {
      calls += fmt::format("# {}\nmantissa {}\n", example.what, example.call());
    }
  }
  return calls.empty() ? text : text + fmt::format("\n```\n{}```\n", calls);
}

std::string topic_section(const Topic& topic) {
  std::string text = fmt::format("\n## {}\n", topic.title);
  for (const std::string_view paragraph : topic.paragraphs) {
    text += fmt::format("\n{}\n", plain(paragraph));
  }
  text += topic.items.empty() ? "" : "\n";
  for (const std::string_view item : topic.items) {
    const std::size_t tab = item.find('\t');
    text += fmt::format("- `{}`: {}\n", item.substr(0, tab), plain(item.substr(tab + 1)));
  }
  return text;
}

}  // namespace

std::string settings_markdown() {
  std::string text =
      "# Settings of a preset\n\n"
      "Each can be given as `--set KEY=VALUE`, too. A setting changes only before a run starts, "
      "unless it says otherwise. This page is written by `mantissa help --reference settings`.\n";
  std::string_view section;
  for (const Setting& s : settings()) {
    if (group_title(s.group) != section) {
      section = group_title(s.group);
      text += fmt::format("\n## {}\n", section);
    }
    text += setting_text(s);
  }
  return text;
}

std::string commands_markdown(const CommandInfo& root) {
  std::string text = fmt::format(
      "# The command line\n\n"
      "This page is written by `mantissa help --reference commands`. `mantissa-studio` is the "
      "window: `mantissa-studio [PRESET] [--run RUN]`.\n\n"
      "Options for every command:\n\n{}",
      option_rows(root));
  for (const CommandInfo* command : runnable_commands(root)) {
    text += command_section(*command);
  }
  for (const Topic& topic : topics()) {
    text += topic_section(topic);
  }
  return text;
}

}  // namespace mantissa
