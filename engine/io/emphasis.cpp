#include "engine/io/emphasis.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace mantissa {
namespace {

constexpr float kStep = 1.1F;

/// The number in ":1.3" at the end of `text`; removes it.
std::optional<float> take_weight(std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    return std::nullopt;
  }
  std::size_t begin = colon + 1, end = text.size();
  while (begin < end && text[begin] == ' ') {
    ++begin;
  }
  while (end > begin && text[end - 1] == ' ') {
    --end;
  }
  float weight = 0;
  const auto [at, error] = std::from_chars(text.data() + begin, text.data() + end, weight);
  if (begin == end || error != std::errc{} || at != text.data() + end || !std::isfinite(weight)) {
    return std::nullopt;
  }
  text.resize(colon);
  return weight;
}

class Parser {
 public:
  std::vector<WeightedText> run(std::string_view caption) {
    for (std::size_t i = 0; i < caption.size(); ++i) {
      const char c = caption[i];
      if (c == '\\' && i + 1 < caption.size() &&
          std::string_view("()[]\\").find(caption[i + 1]) != std::string_view::npos) {
        add(caption[++i]);
      } else if (c == '(' || c == '[') {
        open_.push_back({c, pieces_.size()});
        pieces_.push_back({});
      } else if ((c == ')' && closes('(')) || (c == ']' && closes('['))) {
        close(c == ')');
      } else {
        add(c);
      }
    }
    for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
      multiply(it->first_piece, it->bracket == '(' ? kStep : 1 / kStep);
    }
    return merged();
  }

 private:
  struct Open {
    char bracket;
    std::size_t first_piece;
  };
  bool closes(char bracket) const { return !open_.empty() && open_.back().bracket == bracket; }
  void add(char c) {
    if (pieces_.empty()) {
      pieces_.push_back({});
    }
    pieces_.back().text += c;
  }
  void close(bool round) {
    const Open opened = open_.back();
    open_.pop_back();
    // ":1.3" belongs to the last piece; one after an escaped character is still a weight.
    const std::optional<float> given = round ? take_weight(pieces_.back().text) : std::nullopt;
    multiply(opened.first_piece, given.value_or(round ? kStep : 1 / kStep));
    pieces_.push_back({});
  }
  void multiply(std::size_t from, float factor) {
    for (std::size_t i = from; i < pieces_.size(); ++i) {
      pieces_[i].weight *= factor;
    }
  }
  /// Without empty pieces, with neighbours of equal weight merged.
  std::vector<WeightedText> merged() const {
    std::vector<WeightedText> result;
    for (const WeightedText& piece : pieces_) {
      if (piece.text.empty()) {
        continue;
      }
      if (!result.empty() && result.back().weight == piece.weight) {
        result.back().text += piece.text;
      } else {
        result.push_back(piece);
      }
    }
    return result;
  }

  std::vector<WeightedText> pieces_;
  std::vector<Open> open_;
};

}  // namespace

std::vector<WeightedText> parse_emphasis(std::string_view caption) {
  return Parser().run(caption);
}

}  // namespace mantissa
