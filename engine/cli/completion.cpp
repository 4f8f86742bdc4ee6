#include "engine/cli/completion.h"

#include <array>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/help_text.h"
#include "engine/cli/option_values.h"
#include "engine/cli/topics.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};

std::string script_for(const std::string& shell, const CommandInfo& root,
                       const CompletionWords& words) {
  return shell == "bash"  ? bash_completion(root, words)
         : shell == "zsh" ? zsh_completion(root, words)
                          : fish_completion(root, words);
}

}  // namespace

CompletionWords completion_words(std::vector<std::string> presets) {
  CompletionWords words{std::move(presets), {}};
  for (const Setting& s : settings()) {
    std::vector<std::string> values(s.choices.begin(), s.choices.end());
    if (s.kind == Kind::boolean) {
      values = {"true", "false"};
    }
    const bool simple = s.kind != Kind::pins && s.kind != Kind::objects;
    words.keys.push_back({std::string(s.key), simple ? values : std::vector<std::string>()});
  }
  return words;
}

void add_completion(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand(
      "completion",
      "Write a shell's completion script\n"
      "bash: put `eval \"$(mantissa completion bash)\"` into ~/.bashrc.\n"
      "zsh: `mantissa completion zsh > FOLDER/_mantissa`, with a FOLDER of $fpath.\n"
      "fish: `mantissa completion fish > ~/.config/fish/completions/mantissa.fish`.\n"
      "The packages for Linux install all three.");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "The shell")->required()->check(one_of(kShells));
  command->callback([&app, &session, &action, shell] {
    action = [&app, &session, shell] {
      std::vector<std::string> presets;
      for (const PresetEntry& entry : PresetLibrary(session.context.presets_folder()).list()) {
        presets.push_back(entry.id);
      }
      session.out() << script_for(*shell, command_tree(app), completion_words(std::move(presets)))
                    << std::flush;
      return 0;
    };
  });
}

}  // namespace mantissa
