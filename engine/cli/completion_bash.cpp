#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/cli/completion.h"

namespace mantissa {
namespace {

/// Before the parts that the tables make: what stands before the cursor, as words. Bash breaks
/// lines at "=" too.
constexpr std::string_view kBashHead = R"bash(# bash completion for mantissa
_mantissa() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= key= command= word= skip= i n
  local -a line=() words=()
  local files= folders= presets= keys= runs=
  for ((i = 1; i < COMP_CWORD; ++i)); do line+=("${COMP_WORDS[i]}"); done
  if [[ $cur == '=' ]]; then
    cur=
    line+=('=')
  fi
  n=${#line[@]}
  if ((n > 1)) && [[ ${line[n-1]} == '=' ]]; then
    key=${line[n-2]}
    line=("${line[@]:0:n-2}")
    n=${#line[@]}
    if [[ $key == --* ]]; then
      line+=("$key")
      key=
    elif ((n > 0)) && [[ ${line[n-1]} == '=' ]]; then
      line=("${line[@]:0:n-1}")
    fi
  fi
  n=${#line[@]}
  if ((n > 0)); then prev=${line[n-1]}; fi
  for word in "${line[@]}"; do
    if [[ -n $skip ]]; then
      skip=
      continue
    fi
    case $word in
      --log-level) skip=1 ;;
      -*) ;;
      *)
        case $command in
          '') command=$word ;;
)bash";

/// After them: the candidates.
constexpr std::string_view kBashTail = R"bash(  COMPREPLY=()
  if [[ -n $presets ]]; then words+=($mantissa_presets); files=1; fi
  if [[ -n $runs ]]; then
    words+=($(mantissa runs list 2>/dev/null | awk 'NR > 1 && $1 ~ /^[0-9]/ { print $1 }'))
    folders=1
  fi
  if [[ -n $keys ]]; then
    compopt -o nospace 2>/dev/null
    COMPREPLY+=($(compgen -S = -W "$mantissa_keys" -- "$cur"))
  fi
  COMPREPLY+=($(compgen -W "${words[*]}" -- "$cur"))
  local IFS=$'\n'
  if [[ -n $files$folders ]]; then compopt -o filenames 2>/dev/null; fi
  if [[ -n $files ]]; then
    COMPREPLY+=($(compgen -f -- "$cur"))
  elif [[ -n $folders ]]; then
    COMPREPLY+=($(compgen -d -- "$cur"))
  fi
}
complete -F _mantissa mantissa
)bash";

/// Sets the variables that a value's kind needs.
std::string bash_offer(const OptionInfo& option) {
  std::string text;
  if (!option.words.empty()) {
    text += fmt::format("words+=({}); ", fmt::join(option.words, " "));
  }
  switch (option.kind) {
    case ArgumentKind::file:
      return text + "files=1";
    case ArgumentKind::folder:
      return text + "folders=1";
    case ArgumentKind::preset:
      return text + "presets=1";
    case ArgumentKind::run:
      return text + "runs=1";
    case ArgumentKind::assignment:
      return text + "keys=1";
    case ArgumentKind::words:
    case ArgumentKind::text:
    case ArgumentKind::none:
      return text + ":";
  }
  return text;
}

std::string value_cases(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& option : command.options) {
    if (!option.positional && !option.value.empty()) {
      text += fmt::format("    '{} {}') {} ;;\n", command.name(), option.name, bash_offer(option));
    }
  }
  return text;
}

std::string word_case(const CommandInfo& command) {
  std::string text = fmt::format("    '{}')\n      words+=(", command.name());
  for (const CommandInfo& below : command.commands) {
    text += below.path.back() + " ";
  }
  text += ")\n      if [[ $cur == -* ]]; then words+=(";
  for (const OptionInfo& option : command.options) {
    text += option.positional ? "" : option.name + " ";
  }
  text += "); ";
  bool offered = false;
  for (const OptionInfo& option : command.options) {
    if (option.positional && !offered) {
      text += "else " + bash_offer(option) + "; ";
      offered = true;
    }
  }
  return text + "fi\n      ;;\n";
}

void add_cases(const CommandInfo& command, std::string& values, std::string& words) {
  values += command.path.empty() ? "" : value_cases(command);
  words += command.path.empty() ? "" : word_case(command);
  for (const CommandInfo& below : command.commands) {
    add_cases(below, values, words);
  }
}

}  // namespace

std::string bash_completion(const CommandInfo& root, const CompletionWords& words) {
  std::string script(kBashHead);
  for (const CommandInfo& command : root.commands) {
    if (!command.commands.empty()) {
      script += fmt::format("          {0}) command=\"{0} $word\" ;;\n", command.name());
    }
  }
  script += "        esac\n        ;;\n    esac\n  done\n";
  script += fmt::format("  local mantissa_presets='{}'\n", fmt::join(words.presets, " "));
  std::string keys, settings = "  case $key in\n";
  for (const CompletionWords::Key& key : words.keys) {
    keys += (keys.empty() ? "" : " ") + key.key;
    if (!key.values.empty()) {
      settings += fmt::format("    {}) words=({}) ;;\n", key.key, fmt::join(key.values, " "));
    }
  }
  script += fmt::format("  local mantissa_keys='{}'\n", keys);
  std::string commands, global;
  for (const CommandInfo& command : root.commands) {
    commands += command.name() + " ";
  }
  for (const OptionInfo& option : root.options) {
    global += option.name + " ";
  }
  std::string value_case, word_cases;
  add_cases(root, value_case, word_cases);
  for (const OptionInfo& option : root.options) {
    value_case += option.value.empty() ? ""
                                       : fmt::format("    *' {0}' | '{0}') {1} ;;\n", option.name,
                                                     bash_offer(option));
  }
  script += "  if [[ -n $key ]]; then\n" + settings +
            "  esac\n  else\n  case \"$command $prev\" in\n" + value_case +
            "    *)\n      case $command in\n        '') words=(" + commands +
            ") ;;\n      esac\n      case $command in\n" + word_cases +
            "      esac\n      if [[ $cur == -* ]]; then words+=(" + global +
            "); fi\n      ;;\n  esac\n  fi\n";
  return script + std::string(kBashTail);
}

}  // namespace mantissa
