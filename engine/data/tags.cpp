#include "engine/data/tags.h"

#include <algorithm>
#include <iterator>

#include "engine/core/random.h"

namespace mantissa {

std::vector<std::string> caption_tags(std::string_view caption, bool weighted) {
  constexpr std::string_view kBlank = " \t\n\r";
  std::vector<std::string> tags;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= caption.size(); ++i) {
    const char c = i < caption.size() ? caption[i] : ',';
    const bool escaped = i > 0 && caption[i - 1] == '\\';
    if (weighted && !escaped && (c == '(' || c == '[')) {
      ++depth;
    } else if (weighted && !escaped && (c == ')' || c == ']')) {
      depth = std::max(0, depth - 1);
    }
    // An unclosed bracket must not swallow the rest.
    if (c != ',' || (depth > 0 && i < caption.size())) {
      continue;
    }
    const std::string_view piece = caption.substr(begin, i - begin);
    begin = i + 1;
    const std::size_t first = piece.find_first_not_of(kBlank);
    if (first != std::string_view::npos) {
      tags.emplace_back(piece.substr(first, piece.find_last_not_of(kBlank) - first + 1));
    }
  }
  return tags;
}

bool can_shuffle(const std::string& caption, int keep, bool weighted) {
  return std::ssize(caption_tags(caption, weighted)) > std::ptrdiff_t{keep} + 1;
}

std::string shuffled_caption(const std::string& caption, int keep, bool weighted,
                             const RandomKey& key) {
  std::vector<std::string> tags = caption_tags(caption, weighted);
  if (std::ssize(tags) <= std::ptrdiff_t{keep} + 1) {
    return caption;
  }
  std::vector<std::string> moving(std::make_move_iterator(tags.begin() + keep),
                                  std::make_move_iterator(tags.end()));
  random_shuffle(moving, key);
  std::move(moving.begin(), moving.end(), tags.begin() + keep);
  std::string text;
  for (const std::string& tag : tags) {
    text += (text.empty() ? "" : ", ") + tag;
  }
  return text;
}

}  // namespace mantissa
