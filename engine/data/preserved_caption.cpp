#include "engine/data/preserved_caption.h"

#include <string_view>

#include "engine/core/ascii.h"

namespace mantissa {
namespace {

/// Whether `left` and `right`, both in lower case, belong to the same word. Only ASCII has words
/// here: others are written without spaces too.
bool goes_on(char left, char right) {
  const auto in_word = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z'); };
  return in_word(left) && in_word(right);
}

/// Whether `word` is at `at`, as a whole; both in lower case.
bool is_word_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  return text.substr(at, word.size()) == word && (at == 0 || !goes_on(text[at - 1], text[at])) &&
         (end == text.size() || !goes_on(text[end - 1], text[end]));
}

}  // namespace

std::string preserved_caption(const Preset::Training& training, const std::string& caption) {
  if (training.preservation == Preservation::empty) {
    return {};
  }
  const std::string text = lower_ascii(caption), trigger = lower_ascii(training.trigger_word);
  std::string preserved;
  for (std::size_t i = 0; i < caption.size();) {
    if (!trigger.empty() && is_word_at(text, i, trigger)) {
      preserved += training.class_word;
      i += trigger.size();
    } else {
      preserved += caption[i++];
    }
  }
  return preserved;
}

}  // namespace mantissa
