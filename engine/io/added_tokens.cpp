#include "engine/io/added_tokens.h"

#include <algorithm>
#include <utf8proc.h>

#include "engine/io/clip_text.h"

namespace mantissa {

namespace {

using Tokens = std::vector<AddedToken>;

std::int32_t code_at(std::string_view text, std::size_t at) {
  return leading_character(text.substr(at)).code;
}

std::size_t start_of_previous(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

/// \w of Unicode's regular expressions (UTS 18): Alphabetic, marks, decimal numbers, connectors and
/// joiners.
bool in_word(std::int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    case UTF8PROC_CATEGORY_SO:  // letters in circles and squares are alphabetic
      return (c >= 0x24b6 && c <= 0x24e9) || (c >= 0x1f130 && c <= 0x1f149) ||
             (c >= 0x1f150 && c <= 0x1f169) || (c >= 0x1f170 && c <= 0x1f189);
    default:
      return is_letter(c) || c == 0x200c || c == 0x200d;
  }
}

bool alone(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !in_word(code_at(text, start_of_previous(text, begin)))) &&
         (end == text.size() || !in_word(code_at(text, end)));
}

struct Match {
  std::size_t begin = 0, end = 0;
  const AddedToken* token = nullptr;
};

/// Finds the tokens of one text, from left to right. Each token's next place is remembered, so that
/// the text is searched once per token however many matches it has.
class Matches {
 public:
  Matches(const Tokens& tokens, std::string_view text)
      : tokens_(tokens), text_(text), places_(tokens.size(), 0) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      places_[i] = text.find(tokens[i].content);
    }
  }

  /// The leftmost match from `from`, preferring the longest.
  Match next(std::size_t from) {
    Match best{text_.size(), text_.size(), nullptr};
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (places_[i] < from) {
        places_[i] = text_.find(tokens_[i].content, from);
      }
      const std::size_t begin = places_[i], end = begin + tokens_[i].content.size();
      if (begin != std::string_view::npos && (best.token == nullptr || begin < best.begin ||
                                              (begin == best.begin && end > best.end))) {
        best = {begin, end, &tokens_[i]};
      }
    }
    return best;
  }

 private:
  const Tokens& tokens_;
  std::string_view text_;
  std::vector<std::size_t> places_;  // npos: no further one
};

std::vector<AddedTokens::Found> places(const Tokens& tokens, std::string_view text) {
  std::vector<AddedTokens::Found> found;
  Matches matches(tokens, text);
  std::size_t done = 0, from = 0;
  while (from < text.size()) {
    Match match = matches.next(from);
    if (match.token == nullptr) {
      break;
    }
    from = match.end;
    if (match.token->single_word && !alone(text, match.begin, match.end)) {
      continue;
    }
    while (match.token->lstrip && match.begin > done &&
           is_white_space(code_at(text, start_of_previous(text, match.begin)))) {
      match.begin = start_of_previous(text, match.begin);
    }
    while (match.token->rstrip && match.end < text.size() &&
           is_white_space(code_at(text, match.end))) {
      match.end += leading_character(text.substr(match.end)).bytes;
    }
    found.push_back({match.begin, match.end, match.token->id});
    done = from = match.end;
  }
  return found;
}

void cut(const Tokens& tokens, std::string_view text,
         const std::function<void(std::int32_t)>& token,
         const std::function<void(std::string_view)>& rest) {
  std::size_t done = 0;
  for (const AddedTokens::Found& found : places(tokens, text)) {
    if (found.begin > done) {
      rest(text.substr(done, found.begin - done));
    }
    token(found.id);
    done = found.end;
  }
  if (done < text.size()) {
    rest(text.substr(done));
  }
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalise& normalise) {
  for (AddedToken& token : tokens) {
    if (token.content.empty()) {
      continue;
    }
    if (token.normalized) {
      token.content = normalise(token.content);
    }
    (token.normalized ? normalised_ : raw_).push_back(std::move(token));
  }
}

std::vector<AddedTokens::Found> AddedTokens::find(std::string_view text) const {
  return places(raw_, text);
}

void AddedTokens::split(std::string_view text, const Normalise& normalise,
                        const std::function<void(std::int32_t)>& token,
                        const std::function<void(std::string_view)>& rest) const {
  cut(raw_, text, token,
      [&](std::string_view part) { cut(normalised_, normalise(part), token, rest); });
}

}  // namespace mantissa
