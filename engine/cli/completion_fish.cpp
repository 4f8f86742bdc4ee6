#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/cli/completion.h"

namespace mantissa {
namespace {

constexpr std::string_view kFishHead = R"fish(# fish completion for mantissa
function __mantissa_words
    # the words of the command line that are no options, without the program
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test "$word" = --log-level
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __mantissa_at
    # whether the command is exactly the arguments, or begins with them
    set -l words (__mantissa_words)
    for i in (seq (count $argv))
        test (count $words) -ge $i; and test "$words[$i]" = "$argv[$i]"; or return 1
    end
    return 0
end

function __mantissa_before
    # whether the arguments stand there and a command is to follow
    __mantissa_at $argv; and test (count (__mantissa_words)) -eq (count $argv)
end

function __mantissa_runs
    mantissa runs list 2>/dev/null | awk 'NR > 1 && $1 ~ /^[0-9]/ { print $1 }'
end

complete -c mantissa -f
)fish";

std::string in_quotes(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '\'' || c == '\\' ? "\\" : "";
    escaped += c;
  }
  return "'" + escaped + "'";
}

/// The arguments of `complete` for a value.
std::string fish_offer(const OptionInfo& option) {
  const std::string listed = fmt::format("{}", fmt::join(option.words, " "));
  const std::string extra = option.words.empty() ? "" : " -a " + in_quotes(listed);
  switch (option.kind) {
    case ArgumentKind::file:
      return " -F" + extra;
    case ArgumentKind::folder:
      return " -a " + in_quotes("(__fish_complete_directories) " + listed);
    case ArgumentKind::preset:
      return " -F -a '$__mantissa_presets'";
    case ArgumentKind::run:
      return " -a '(__mantissa_runs) (__fish_complete_directories)'";
    case ArgumentKind::assignment:
      return " -a '$__mantissa_settings'";
    case ArgumentKind::words:
      return extra;
    case ArgumentKind::text:
    case ArgumentKind::none:
      return "";
  }
  return "";
}

std::string line(const std::string& condition, const OptionInfo& option) {
  const std::string when = condition.empty() ? "" : " -n " + in_quotes(condition);
  if (option.positional) {
    return fmt::format("complete -c mantissa{}{}\n", when, fish_offer(option));
  }
  return fmt::format("complete -c mantissa{} -l {}{}{} -d {}\n", when, option.name.substr(2),
                     option.value.empty()                ? ""
                     : option.kind == ArgumentKind::file ? " -r"
                                                         : " -x",
                     fish_offer(option), in_quotes(option.text));
}

std::string lines_of(const CommandInfo& command) {
  std::string text;
  const std::string at = fmt::format("__mantissa_at {}", command.name());
  for (const OptionInfo& option : command.options) {
    text += line(command.path.empty() ? "" : at, option);
  }
  for (const CommandInfo& below : command.commands) {
    text += fmt::format("complete -c mantissa -n {} -a {} -d {}\n",
                        in_quotes(fmt::format("__mantissa_before {}", command.name())),
                        below.path.back(), in_quotes(below.summary));
    text += lines_of(below);
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandInfo& root, const CompletionWords& words) {
  std::string script(kFishHead);
  script += fmt::format("set -g __mantissa_presets {}\nset -g __mantissa_settings",
                        fmt::join(words.presets, " "));
  for (const CompletionWords::Key& key : words.keys) {
    for (const std::string& value : key.values) {
      script += fmt::format(" {}={}", key.key, value);
    }
    script += key.values.empty() ? fmt::format(" {}=", key.key) : "";
  }
  return script + "\n" + lines_of(root);
}

}  // namespace mantissa
