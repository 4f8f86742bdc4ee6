#include "engine/cli/manual.h"

#include <fmt/format.h>

#include "engine/cli/examples.h"
#include "engine/cli/help_text.h"
#include "engine/preset/preset.h"

namespace mantissa {
namespace {

/// Text as roff shows it: no request, no escape, hyphens as typed.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool starts = escaped.empty() || escaped.back() == '\n';
    if (starts && (c == '.' || c == '\'')) {
      escaped += "\\&";
    }
    escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return escaped;
}

std::string section(std::string_view title) {
  std::string upper(title);
  for (char& c : upper) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return fmt::format(".SH \"{}\"\n", roff(upper));
}

std::string item(std::string_view name, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(name), roff(text));
}

std::string options_text(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& option : command.options) {
    text += item(option.call(), option.text.empty() ? std::string_view(option.name) : option.text);
  }
  return text;
}

std::string command_text(const CommandInfo& command) {
  std::string text = fmt::format(".SS \"{}\"\n", roff(usage_of(command)));
  text += roff(command.summary) + ".\n";
  for (const std::string& note : command.notes) {
    text += ".PP\n" + roff(note) + '\n';
  }
  text += options_text(command);
  bool first = true;
  for (const Example& example : examples()) {
    if (example.command == command.name()) {
      text +=
          fmt::format("{}.RS\n.nf\n# {}\nmantissa {}\n.fi\n.RE\n", first ? ".PP\nExamples:\n" : "",
                      roff(example.what), roff(example.call()));
      first = false;
    }
  }
  return text;
}

std::string topics_text() {
  std::string text;
  for (const Topic& topic : topics()) {
    text += section(topic.title);
    for (const std::string_view paragraph : topic.paragraphs) {
      text += ".PP\n" + roff(paragraph) + '\n';
    }
    for (const std::string_view listed : topic.items) {
      const std::size_t tab = listed.find('\t');
      text += item(listed.substr(0, tab), listed.substr(tab + 1));
    }
  }
  return text;
}

std::string settings_text() {
  std::string text = section("Settings of a preset");
  for (const Setting& s : settings()) {
    const std::string unit = s.unit.empty() ? "" : fmt::format(" ({})", s.unit);
    text += item(s.key, fmt::format("{}{}; default {}. {}", allowed_values(s).text(), unit,
                                    default_value(s.key).dump(), s.help));
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandInfo& root) {
  std::string text =
      fmt::format(".TH MANTISSA 1 \"\" \"mantissa {}\" \"User Commands\"\n", MANTISSA_VERSION);
  text += section("Name") + "mantissa \\- train adapters for diffusion models\n";
  text += section("Synopsis") + ".B mantissa\n.I COMMAND\n[\\fIoptions\\fR]\n";
  text += section("Description") + roff(root.summary) + '\n';
  text += section("Options for every command") + options_text(root);
  text += section("Commands");
  for (const CommandInfo* command : runnable_commands(root)) {
    text += command_text(*command);
  }
  text += topics_text() + settings_text();
  text += section("See also") +
          "The documents in the folder share/mantissa/docs of the installation.\n";
  return text;
}

}  // namespace mantissa
