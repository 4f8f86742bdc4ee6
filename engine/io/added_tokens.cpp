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

bool in_word(std::int32_t c) {
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return is_letter(c);
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

/// The leftmost match from `from`, preferring the longest.
Match next_match(const Tokens& tokens, std::string_view text, std::size_t from) {
  Match best{text.size(), text.size(), nullptr};
  for (const AddedToken& token : tokens) {
    const std::size_t begin = text.find(token.content, from);
    const std::size_t end = begin + token.content.size();
    if (begin != std::string_view::npos &&
        (begin < best.begin || (begin == best.begin && end > best.end) || best.token == nullptr)) {
      best = {begin, end, &token};
    }
  }
  return best;
}

void cut(const Tokens& tokens, std::string_view text,
         const std::function<void(std::int32_t)>& token,
         const std::function<void(std::string_view)>& rest) {
  std::size_t done = 0, from = 0;
  while (from < text.size()) {
    Match match = next_match(tokens, text, from);
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
    if (match.begin > done) {
      rest(text.substr(done, match.begin - done));
    }
    token(match.token->id);
    done = from = match.end;
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

void AddedTokens::split(std::string_view text, const Normalise& normalise,
                        const std::function<void(std::int32_t)>& token,
                        const std::function<void(std::string_view)>& rest) const {
  cut(raw_, text, token,
      [&](std::string_view part) { cut(normalised_, normalise(part), token, rest); });
}

}  // namespace mantissa
