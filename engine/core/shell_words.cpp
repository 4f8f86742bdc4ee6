#include "engine/core/shell_words.h"

#include <algorithm>

namespace mantissa {
namespace {

/// Whether no shell of the system makes anything else of it, wherever it is in a word.
bool means_itself(char c, Shell shell) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      static_cast<unsigned char>(c) >= 0x80;
  const std::string_view others = shell == Shell::windows ? "_-./\\:+" : "_-./:+@%,=";
  return letter || others.find(c) != std::string_view::npos;
}

std::string in_single_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return text + "'";
}

/// As programs take their command line apart: before a quote a backslash counts as half of two.
std::string in_double_quotes(std::string_view word) {
  std::string text = "\"";
  std::size_t backslashes = 0;
  for (const char c : word) {
    if (c == '"') {
      text.append(backslashes + 1, '\\');
    }
    backslashes = c == '\\' ? backslashes + 1 : 0;
    text += c;
  }
  return text.append(backslashes, '\\') + '"';
}

}  // namespace

std::string shell_word(std::string_view word, Shell shell) {
  const bool plain =
      !word.empty() && std::ranges::all_of(word, [&](char c) { return means_itself(c, shell); });
  return plain                     ? std::string(word)
         : shell == Shell::windows ? in_double_quotes(word)
                                   : in_single_quotes(word);
}

std::string shell_command(std::initializer_list<std::string_view> words, Shell shell) {
  std::string command;
  for (const std::string_view word : words) {
    command += (command.empty() ? "" : " ") + shell_word(word, shell);
  }
  return command;
}

}  // namespace mantissa
