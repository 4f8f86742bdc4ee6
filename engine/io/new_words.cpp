#include "engine/io/new_words.h"

#include <cstddef>
#include <utf8proc.h>

#include "engine/io/clip_text.h"

namespace mantissa {
namespace {

/// Text as words are looked for in it: white space runs are one space, and letters in lower case.
struct FoldedText {
  std::string text;
  std::vector<std::size_t> origin;  ///< of each of its bytes, and of its end
};

FoldedText folded(std::string_view text) {
  FoldedText result;
  const auto append = [&](std::int32_t code, std::size_t from) {
    append_utf8(result.text, code);
    result.origin.resize(result.text.size(), from);
  };
  for (std::size_t at = 0; at < text.size();) {
    const LeadingCharacter c = leading_character(text.substr(at));
    if (is_white_space(c.code)) {
      if (result.text.empty() || result.text.back() != ' ') {
        append(' ', at);
      }
    } else if (c.code == 0x130) {  // the one letter whose lower case is two code points
      append('i', at);
      append(0x307, at);
    } else {
      append(utf8proc_tolower(c.code), at);
    }
    at += c.bytes;
  }
  result.origin.push_back(text.size());
  return result;
}

AddedTokens looked_for(const std::vector<NewWords::Word>& words) {
  std::vector<AddedToken> tokens;
  for (std::size_t i = 0; i < words.size(); ++i) {
    tokens.push_back({.content = folded(nfc(repaired_utf8(words[i].text))).text,
                      .id = static_cast<std::int32_t>(i),
                      .single_word = true,
                      .lstrip = true});
  }
  return {std::move(tokens), {}};
}

}  // namespace

NewWords::NewWords(std::vector<Word> words)
    : words_(std::move(words)), tokens_(looked_for(words_)) {}

void NewWords::encode(std::string_view raw, std::vector<std::int32_t>& ids,
                      const std::function<void(std::string_view)>& rest) const {
  if (words_.empty()) {
    rest(raw);
    return;
  }
  const std::string composed = nfc(repaired_utf8(raw));
  const std::string_view text = composed;
  const FoldedText at = folded(text);
  const std::vector<AddedTokens::Found> found = tokens_.find(at.text);
  if (found.empty()) {
    rest(raw);
    return;
  }
  std::size_t done = 0;
  const auto until = [&](std::size_t end) {
    if (done < end) {
      rest(text.substr(done, end - done));
    }
  };
  for (const AddedTokens::Found& one : found) {
    until(at.origin[one.begin]);
    const Word& word = words_[static_cast<std::size_t>(one.id)];
    for (std::int32_t i = 0; i < word.count; ++i) {
      ids.push_back(word.first + i);
    }
    done = at.origin[one.end];
  }
  until(text.size());
}

bool NewWords::holds(std::string_view text, std::string_view word) {
  const NewWords one({{std::string(word), 0, 1}});
  return !one.tokens_.find(folded(nfc(repaired_utf8(text))).text).empty();
}

}  // namespace mantissa
