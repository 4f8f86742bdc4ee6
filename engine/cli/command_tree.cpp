#include "engine/cli/command_tree.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include "engine/cli/option_values.h"
#include "engine/preset/family_table.h"

namespace mantissa {
namespace {

/// The limit of integers in JSON means nothing to users.
constexpr std::string_view kToAnyInteger = " to 9007199254740991";
const std::vector<std::string> kFileValues{"FILE", "PATH", "FILE[:WEIGHT]", "PATH[:WEIGHT]"};

bool is_one_of(const std::string& text, const std::vector<std::string>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

ArgumentKind kind_of(const OptionInfo& option) {
  if (option.value.empty()) {
    return ArgumentKind::none;
  }
  return is_one_of(option.value, kFileValues) ? ArgumentKind::file
         : option.value == "DIR"              ? ArgumentKind::folder
         : option.value == "PRESET"           ? ArgumentKind::preset
         : option.value == "RUN"              ? ArgumentKind::run
         : option.value == "KEY=VALUE"        ? ArgumentKind::assignment
         : !option.words.empty()              ? ArgumentKind::words
                                              : ArgumentKind::text;
}

std::vector<std::string> built_in_bases() {
  std::vector<std::string> names;
  for (const FamilyRow* row : family_rows()) {
    if (!row->demo.name.empty()) {
      names.emplace_back(row->demo.name);
    }
  }
  return names;
}

/// What ships with the program and is named where a path is taken.
std::vector<std::string> built_in_words(const std::string& option) {
  return option == "--base" || option == "--like" ? built_in_bases()
         : option == "--images"                   ? std::vector<std::string>{"demo"}
         : option == "--device"                   ? std::vector<std::string>{"cpu", "cuda:0"}
                                                  : std::vector<std::string>();
}

/// The description, and what the parser knows beside it.
std::string full_text(CLI::Option& option, const OptionInfo& info) {
  std::string text = option.get_description();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto add = [&text](const std::string& more) {
    text += more.empty() ? "" : (text.empty() ? "" : "; ") + more;
  };
  const std::string list = fmt::format("{}", fmt::join(info.words, ", "));
  const bool closed = !words_of(option).empty();  // else they are suggestions
  if (closed && text.find(list) == std::string::npos) {
    add("one of " + list);
  }
  if (std::string range = range_of(option); !range.empty()) {
    if (range.ends_with(kToAnyInteger)) {
      range.resize(range.size() - kToAnyInteger.size());
    }
    add("from " + range);
  }
  if (!option.get_default_str().empty()) {
    add("default " + option.get_default_str());
  }
  add(info.required && !info.positional ? "required" : "");
  return text;
}

OptionInfo info_of(CLI::Option& option) {
  OptionInfo info;
  info.positional = option.get_positional();
  info.required = option.get_required();
  info.name = option.get_name(info.positional);
  if (option.get_items_expected_max() > 0) {
    info.value = option.get_type_name();
  }
  if (info.positional) {
    info.value = info.value == "TEXT" ? info.name : info.value;
  } else if (const auto& shorts = option.get_snames(); !shorts.empty()) {
    info.name = "--" + option.get_lnames().front();
  }
  info.repeats = option.get_items_expected_max() > 1;
  info.words = words_of(option);
  info.kind = kind_of(info);
  if (info.words.empty()) {
    info.words = built_in_words(info.name);
  }
  if (info.kind == ArgumentKind::text && !info.words.empty()) {
    info.kind = ArgumentKind::words;
  }
  info.text = full_text(option, info);
  return info;
}

void split_description(CommandInfo& info, const std::string& description) {
  std::size_t at = 0;
  while (at <= description.size()) {
    const std::size_t end = std::min(description.find('\n', at), description.size());
    const std::string line = description.substr(at, end - at);
    at == 0 ? info.summary = line : info.notes.emplace_back(line);
    at = end + 1;
  }
}

CommandInfo info_of(CLI::App& app, std::vector<std::string> path) {
  CommandInfo info;
  info.path = std::move(path);
  info.section = app.get_group();
  split_description(info, app.get_description());
  for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    const bool help_again = option == app.get_help_ptr() && !info.path.empty();
    if (option->get_group() != kHiddenGroup && !help_again) {
      info.options.push_back(info_of(*option));
    }
  }
  constexpr std::array<std::string_view, 4> kOfPresets{"train", "check", "probe", "lr-test"};
  info.takes_settings = std::ranges::count(kOfPresets, info.name()) > 0;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    std::vector<std::string> below = info.path;
    below.push_back(command->get_name());
    info.commands.push_back(info_of(*command, std::move(below)));
  }
  return info;
}

}  // namespace

std::string CommandInfo::name() const {
  return fmt::format("{}", fmt::join(path, " "));
}

CommandInfo command_tree(CLI::App& app) {
  return info_of(app, {});
}

const CommandInfo* find_command(const CommandInfo& root, const std::vector<std::string>& path) {
  const CommandInfo* at = &root;
  for (const std::string& word : path) {
    const auto found = std::ranges::find_if(
        at->commands, [&](const CommandInfo& command) { return command.path.back() == word; });
    if (found == at->commands.end()) {
      return nullptr;
    }
    at = &*found;
  }
  return at;
}

std::vector<const CommandInfo*> runnable_commands(const CommandInfo& root) {
  std::vector<const CommandInfo*> list;
  for (const CommandInfo& command : root.commands) {
    if (command.commands.empty()) {
      list.push_back(&command);
    }
    const auto below = runnable_commands(command);
    list.insert(list.end(), below.begin(), below.end());
  }
  return list;
}

}  // namespace mantissa
