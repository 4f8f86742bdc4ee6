#pragma once

#include <string>
#include <vector>

#include "engine/cli/command_tree.h"

namespace mantissa {

/// What completion offers beside commands and options.
struct CompletionWords {
  std::vector<std::string> presets;
  /// A setting and its values; those of numbers and texts are empty.
  struct Key {
    std::string key;
    std::vector<std::string> values;
  };
  std::vector<Key> keys;
};
CompletionWords completion_words(std::vector<std::string> presets);

/// A script for each shell, which completes commands, options, their values, presets, settings and
/// run ids without starting the program, except for run ids.
std::string bash_completion(const CommandInfo& root, const CompletionWords& words);
std::string zsh_completion(const CommandInfo& root, const CompletionWords& words);
std::string fish_completion(const CommandInfo& root, const CompletionWords& words);

}  // namespace mantissa
