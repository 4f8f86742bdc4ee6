#include "engine/cli/usage.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/cli/option_values.h"

namespace mantissa {
namespace {

const CLI::App& deepest(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
  }
  return *at;
}

void add_option_names(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
}

/// The called command's options and those for every command.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* at = &app; at != nullptr;) {
    add_option_names(*at, names);
    const auto below = at->get_subcommands();
    at = below.empty() ? nullptr : below.front();
  }
  return names;
}

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

std::string see(const std::string& called) {
  return fmt::format(" (see `{} --help`)", called);
}

/// Whether a word is an option of `app`, and whether the next word is then its value.
struct OptionUse {
  bool known = false, takes_next = false, ends = false;
};
OptionUse option_use(const CLI::App& app, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  for (const CLI::Option* option : app.get_options()) {
    if (option->check_name(name)) {
      const bool value = option->get_items_expected_max() > 0;
      return {true, value && equals == std::string::npos,
              name == "--help" || name == "--version" || name == "-h"};
    }
  }
  return {};
}

/// An option in front of the command that isn't one of the program.
std::string early_option(CLI::App& app, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> own;
  add_option_names(app, own);
  for (CLI::App* command : commands_of(app)) {
    std::vector<std::string> names;
    add_option_names(*command, names);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fmt::format("{} follows its command, as in `mantissa {} {} …`", name,
                         command->get_name(), name);
    }
  }
  return fmt::format("{} is not an option{}", name, did_you_mean(name, own));
}

/// The reason that the parser gives for options with too few or too many values, in our words.
std::string mismatch_text(const std::string& text) {
  const std::string option = text.substr(0, text.find(':'));
  const bool missing =
      text.find("missing") != std::string::npos || text.find("received 0") != std::string::npos;
  return missing ? fmt::format("{} needs a value", option)
                 : fmt::format("{} is given more than once", option);
}

}  // namespace

std::string called_command(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return name;
}

std::string command_problem(CLI::App& app, const std::vector<std::string>& args) {
  CLI::App* at = &app;
  std::string called = app.get_name();
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    if (word == "--" || word.empty()) {
      return {};
    }
    if (is_option(word)) {
      OptionUse use = option_use(app, word);
      if (at != &app && !use.known) {
        use = option_use(*at, word);
      }
      if (use.ends) {
        return {};
      }
      if (!use.known) {
        return at == &app ? early_option(app, word) + see(called) : "";
      }
      i += use.takes_next ? 1 : 0;
      continue;
    }
    const std::vector<CLI::App*> below = commands_of(*at);
    const auto found =
        std::ranges::find(below, word, [](const CLI::App* command) { return command->get_name(); });
    if (found == below.end()) {
      return fmt::format("{} is not a command{}", word, did_you_mean(word, command_names(*at))) +
             see(called);
    }
    at = *found;
    called += " " + word;
    if (commands_of(*at).empty()) {
      return {};
    }
  }
  return {};
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> commands = command_names(deepest(app));
  const std::vector<std::string> extra = app.remaining(true);
  std::string why = error.what();
  if (!extra.empty()) {
    const std::string word = extra.front().substr(0, extra.front().find('='));
    const std::vector<std::string> known = option_names(app);
    const bool early = std::find(known.begin(), known.end(), word) != known.end();
    why = early             ? word + " stands before the command that it belongs to"
          : is_option(word) ? word + " is not an option" + did_you_mean(word, known)
                            : word + " is one argument too many";
  } else if (!commands.empty()) {
    why = fmt::format("missing command; expected one of: {}", fmt::join(commands, ", "));
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    why = mismatch_text(why);
  }
  if (const std::size_t line = why.find('\n'); line != std::string::npos) {
    why.resize(line);
  }
  return why + see(called_command(app));
}

}  // namespace mantissa
