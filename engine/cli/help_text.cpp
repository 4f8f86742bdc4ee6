#include "engine/cli/help_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/cli/examples.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/preset/preset.h"

namespace mantissa {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kNameColumns = 22;  // a longer name gets a line of its own

void heading(std::ostream& out, std::string_view text) {
  out << '\n' << Styled{Style::heading, text} << '\n';
}

/// "  --base PATH           Base model: …", the text wrapped beside the name.
void entry(std::ostream& out, const std::string& name, const std::string& text) {
  constexpr std::size_t kText = kIndent + kNameColumns + 2;
  const std::size_t columns = paragraph_columns(out);
  if (columns < kText + 24) {
    out << std::string(kIndent, ' ') << name << '\n' << wrapped(text, 2 * kIndent + 2, columns);
    return;
  }
  const bool beside = display_width(name) <= kNameColumns;
  std::string head = std::string(kIndent, ' ') + name;
  head += beside ? std::string(kText - kIndent - display_width(name), ' ')
                 : '\n' + std::string(kText, ' ');
  for (const std::string& line : wrapped_lines(text, columns - kText)) {
    out << head << line << '\n';
    head = std::string(kText, ' ');
  }
}

void print_entries(std::ostream& out, const std::vector<OptionInfo>& options, bool positional) {
  for (const OptionInfo& option : options) {
    if (option.positional == positional) {
      entry(out, option.call(), option.text);
    }
  }
}

void print_examples(std::ostream& out, const CommandInfo& command) {
  bool first = true;
  for (const Example& example : examples()) {
    const bool own = example.command == command.name();
    const bool below = !command.path.empty() && !command.commands.empty() &&
                       example.command.starts_with(command.name() + " ");
    if (!own && !below) {
      continue;
    }
    if (first) {
      heading(out, "Examples");
      first = false;
    }
    out << wrapped(fmt::format("# {}", example.what), kIndent, paragraph_columns(out));
    out << fmt::format("  mantissa {}\n", example.call());
  }
}

void print_commands(std::ostream& out, const CommandInfo& command) {
  std::string section;
  for (const CommandInfo& below : command.commands) {
    if (below.section != section) {
      section = below.section;
      heading(out, command.path.empty() ? section : "Commands");
    }
    entry(out, below.path.back(), below.summary);
  }
}

/// The keys by section, as an overview.
void print_keys(std::ostream& out) {
  heading(out, "Settings of a preset, for --set KEY=VALUE");
  std::string keys;
  std::string_view section;
  const auto flush = [&] {
    if (!keys.empty()) {
      entry(out, std::string(section), keys);
    }
    keys.clear();
  };
  for (const Setting& s : settings()) {
    if (section_of(s) != section) {
      flush();
      section = section_of(s);
    }
    keys += (keys.empty() ? "" : ", ") + std::string(s.key.substr(s.key.find('.') + 1));
  }
  flush();
  out << wrapped(
      "`mantissa help KEY` explains a setting such as adapter.rank, `mantissa help "
      "adapter` all of a section, `mantissa help settings` all there are.",
      kIndent, paragraph_columns(out));
}

void print_global_options(std::ostream& out, const CommandInfo& root) {
  std::vector<std::string> calls;
  for (const OptionInfo& option : root.options) {
    calls.push_back(option.call());
  }
  heading(out, "For every command");
  out << wrapped(fmt::format("{}", fmt::join(calls, ", ")), kIndent, paragraph_columns(out));
}

void print_program_help(std::ostream& out, const CommandInfo& root) {
  out << wrapped(root.summary, 0, paragraph_columns(out)) << '\n'
      << Styled{Style::heading, "Usage"} << "\n  mantissa COMMAND …\n";
  print_commands(out, root);
  heading(out, "Options for every command");
  print_entries(out, root.options, false);
  heading(out, "More");
  entry(out, "help COMMAND", "options and examples of a command");
  entry(out, "help SETTING", "a setting such as adapter.rank, or a section such as training");
  std::string names;
  for (const Topic& topic : topics()) {
    names += (names.empty() ? "" : ", ") + std::string(topic.name);
  }
  entry(out, "help TOPIC", "settings, " + names);
  entry(out, "help ID", "a finding of check, such as S4");
}

void print_setting(std::ostream& out, const Setting& s) {
  const std::size_t columns = paragraph_columns(out);
  const std::string unit = s.unit.empty() ? "" : fmt::format(" ({})", s.unit);
  out << "  " << Styled{Style::heading, s.key} << '\n';
  out << wrapped(
      fmt::format("{}{}; default {}", allowed_values(s).text(), unit, default_value(s.key).dump()),
      6, columns);
  out << wrapped(s.help, 6, columns);
}

}  // namespace

std::string usage_of(const CommandInfo& command) {
  std::string usage = fmt::format("mantissa {}", command.name());
  if (!command.commands.empty()) {
    return usage + " COMMAND …";
  }
  bool optional = false;
  for (const OptionInfo& option : command.options) {
    if (option.positional) {
      const std::string name = option.name + (option.repeats ? "..." : "");
      usage += option.required ? " " + name : fmt::format(" [{}]", name);
    } else if (option.required) {
      usage += " " + option.call();
    } else {
      optional = true;
    }
  }
  return usage + (optional ? " [options]" : "");
}

void print_command_help(std::ostream& out, const CommandInfo& root, const CommandInfo& command) {
  if (command.path.empty()) {
    print_program_help(out, root);
    return;
  }
  const std::size_t columns = paragraph_columns(out);
  out << wrapped(command.summary, 0, columns);
  for (const std::string& note : command.notes) {
    out << wrapped(note, 0, columns);
  }
  heading(out, "Usage");
  out << wrapped(usage_of(command), kIndent, columns);
  print_commands(out, command);
  const auto named = [](const OptionInfo& option) { return !option.positional; };
  if (std::ranges::any_of(command.options, std::not_fn(named))) {
    out << '\n';
    print_entries(out, command.options, true);
  }
  if (std::ranges::any_of(command.options, named)) {
    heading(out, "Options");
    print_entries(out, command.options, false);
  }
  print_examples(out, command);
  if (command.takes_settings) {
    print_keys(out);
  }
  print_global_options(out, root);
}

std::string_view section_of(const Setting& setting) {
  const std::size_t dot = setting.key.find('.');
  return dot == std::string_view::npos ? "about" : setting.key.substr(0, dot);
}

void print_setting_help(std::ostream& out, const Setting& s) {
  const std::size_t columns = paragraph_columns(out);
  out << Styled{Style::heading, s.key} << fmt::format(": {}\n\n", s.label);
  const std::string unit = s.unit.empty() ? "" : fmt::format(" ({})", s.unit);
  entry(out, "Takes", allowed_values(s).text() + unit);
  entry(out, "Default", default_value(s.key).dump());
  if (!s.alias.empty()) {
    entry(out, "Also called", std::string(s.alias));
  }
  if (!s.applies_if.key.empty()) {
    entry(out, "Has an effect",
          fmt::format("with {} {}", s.applies_if.key, fmt::join(s.applies_if.values, ", ")));
  }
  entry(out, "May change",
        s.change == Change::live        ? "while a run is in progress"
        : s.change == Change::on_resume ? "when a run is resumed"
                                        : "only before a run starts");
  out << '\n' << wrapped(s.help, kIndent, columns);
  for (const ItemField& field : s.fields) {
    entry(out, std::string(field.key), std::string(field.help));
  }
  const std::string value = default_value(s.key).dump();
  out << fmt::format("\n  --set {}={}\n", s.key,
                     s.kind == Kind::objects || s.kind == Kind::pins ? "JSON" : value);
}

void print_settings_help(std::ostream& out, const std::vector<const Setting*>& chosen) {
  std::string_view title;
  for (const Setting* s : chosen) {
    if (group_title(s->group) != title) {
      title = group_title(s->group);
      heading(out, title);
    }
    print_setting(out, *s);
  }
}

void print_topic_help(std::ostream& out, const Topic& topic) {
  const std::size_t columns = paragraph_columns(out);
  out << Styled{Style::heading, topic.title} << '\n';
  for (const std::string_view paragraph : topic.paragraphs) {
    out << '\n' << wrapped(paragraph, 0, columns);
  }
  if (!topic.items.empty()) {
    out << '\n';
  }
  for (const std::string_view item : topic.items) {
    const std::size_t tab = item.find('\t');
    entry(out, std::string(item.substr(0, tab)), std::string(item.substr(tab + 1)));
  }
}

void print_finding_help(std::ostream& out, const CatalogueEntry& finding) {
  const std::size_t columns = paragraph_columns(out);
  out << wrapped(fmt::format("{}: {}", finding.id, finding.title), 0, columns) << '\n';
  entry(out, "Cause", std::string(finding.cause));
  entry(out, "Here", std::string(finding.here));
  if (!finding.fix.empty()) {
    entry(out, "Fix", std::string(finding.fix));
  }
  std::string fields;
  for (const std::string_view field : finding.fields) {
    fields += field.empty() ? "" : (fields.empty() ? "" : ", ") + std::string(field);
  }
  if (!fields.empty()) {
    entry(out, "Settings", fields);
  }
}

}  // namespace mantissa
