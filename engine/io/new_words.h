#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/added_tokens.h"

namespace mantissa {

/// Words that stand for ids of their own beside a tokenizer's (textual inversion), wherever they
/// are not inside another word, in upper case or lower. White space before a word belongs to it.
class NewWords {
 public:
  /// A word and its ids, [first, first + count).
  struct Word {
    std::string text;
    std::int32_t first = 0, count = 1;
  };
  NewWords() = default;
  explicit NewWords(std::vector<Word> words);

  /// Appends the ids of the words in a text; `rest` appends those of what is between them. A text
  /// without one goes to `rest` as it is, others in Unicode's normal form C.
  void encode(std::string_view text, std::vector<std::int32_t>& ids,
              const std::function<void(std::string_view)>& rest) const;
  /// Whether a word is in a text.
  static bool holds(std::string_view text, std::string_view word);

 private:
  std::vector<Word> words_;
  AddedTokens tokens_;  ///< numbered by their place among the words
};

}  // namespace mantissa
