#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <sstream>

#include "engine/cli/commands.h"
#include "engine/cli/help_text.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/manual.h"
#include "engine/cli/option_values.h"
#include "engine/cli/reference.h"
#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/printable.h"
#include "engine/readers/readers_docs.h"

namespace mantissa {
namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool manual = false;
  std::string reference;  ///< "settings", "commands" or "readers"; else empty
};

std::vector<const Setting*> settings_of(std::string_view section) {
  std::vector<const Setting*> chosen;
  for (const Setting& s : settings()) {
    if (section == "settings" || section_of(s) == section) {
      chosen.push_back(&s);
    }
  }
  return chosen;
}

/// Everything that help can be asked about, for suggestions.
std::vector<std::string> subjects(const CommandInfo& root) {
  std::vector<std::string> names{"settings"};
  for (const CommandInfo& command : root.commands) {
    names.push_back(command.name());
  }
  for (const Topic& topic : topics()) {
    names.emplace_back(topic.name);
  }
  for (const Setting& s : settings()) {
    names.emplace_back(section_of(s));
    names.emplace_back(s.key);
  }
  return names;
}

/// A topic, the settings of a section, or both where they share the name. False without either.
bool explain_topic(std::ostream& out, const std::string& name) {
  const Topic* topic = find_topic(name);
  const std::vector<const Setting*> chosen = settings_of(name);
  if (topic != nullptr) {
    print_topic_help(out, *topic);
  }
  print_settings_help(out, chosen);
  return topic != nullptr || !chosen.empty();
}

void explain(std::ostream& out, const CommandInfo& root, const std::vector<std::string>& words) {
  if (const CommandInfo* command = find_command(root, words)) {
    const Topic* topic = words.size() == 1 ? find_topic(words.front()) : nullptr;
    if (topic != nullptr) {  // "presets" is both
      print_topic_help(out, *topic);
      out << '\n';
    }
    print_command_help(out, root, *command);
    return;
  }
  const std::string name = fmt::format("{}", fmt::join(words, " "));
  if (explain_topic(out, lower_ascii(name))) {
    return;
  }
  if (const CatalogueEntry* entry = find_catalogue_entry(name)) {
    print_finding_help(out, *entry);
    return;
  }
  const Setting* setting = find_setting(name);
  if (setting == nullptr && name.find('.') == std::string::npos) {
    setting = find_setting(nearest_key(name));  // "rank" for adapter.rank
    setting = setting != nullptr && setting->key.ends_with("." + name) ? setting : nullptr;
  }
  if (setting == nullptr) {
    throw Error(message<"{subject} is no command, setting, finding or topic; `mantissa help` lists "
                        "them{near}">(printable(name), did_you_mean(name, subjects(root))));
  }
  print_setting_help(out, *setting);
}

}  // namespace

void add_help(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("help", "Explain a command, a setting or a topic");
  const auto o = std::make_shared<HelpOptions>();
  CLI::Option* subject = command->add_option(
      "SUBJECT", o->words,
      "A command, a setting such as adapter.rank, a section such as training, a topic such as "
      "resume, or the id of a finding");
  CLI::Option* manual =
      command->add_flag("--man", o->manual, "Write the manual page, for man")->excludes(subject);
  command
      ->add_option(
          "--reference", o->reference,
          "Print the reference of all settings, of all commands, or of the programs that read "
          "adapters, as Markdown")
      ->type_name("WHICH")
      ->check(one_of(std::vector<std::string>{"settings", "commands", "readers"}))
      ->excludes(subject)
      ->excludes(manual);
  command->callback([&app, &session, &action, o] {
    action = [&app, &session, o] {
      std::ostringstream text;
      std::ostream& out = session.json ? text : session.out();
      const CommandInfo root = command_tree(app);
      if (o->manual) {
        out << manual_page(root);
      } else if (!o->reference.empty()) {
        out << (o->reference == "settings"  ? settings_markdown()
                : o->reference == "readers" ? readers_markdown()
                                            : commands_markdown(root));
      } else {
        explain(out, root, o->words);
      }
      if (session.json) {
        write_event(session.out(), {{"event", "help"}, {"text", text.str()}});
      }
      session.out() << std::flush;
      return 0;
    };
  });
}

}  // namespace mantissa
