#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A token that a tokenizer matches literally, before the text is split into words: BOS and EOS,
/// textual inversion's words. The flags are those of tokenizer.json.
struct AddedToken {
  std::string content;
  std::int32_t id = 0;
  bool single_word = false;  ///< not inside a word
  bool lstrip = false;       ///< also consumes preceding white space
  bool rstrip = false;       ///< and following white space
  bool normalized = false;   ///< matched, normalised, in the normalised text
};

/// The added tokens of one tokenizer.
class AddedTokens {
 public:
  using Normalise = std::function<std::string(std::string_view)>;
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalise& normalise);

  /// A token in a text, from `begin` to `end`, with the white space that it consumes.
  struct Found {
    std::size_t begin = 0, end = 0;
    std::int32_t id = 0;
  };
  /// Added tokens of the raw text, from left to right, preferring the longest.
  std::vector<Found> find(std::string_view text) const;

  /// Splits `text` at its added tokens, preferring the longest: first those of the raw text, then
  /// the normalised ones in the remaining text after `normalise`. `token` and `rest` are called in
  /// the order of the text, `rest` with normalised text.
  void split(std::string_view text, const Normalise& normalise,
             const std::function<void(std::int32_t)>& token,
             const std::function<void(std::string_view)>& rest) const;

 private:
  std::vector<AddedToken> raw_, normalised_;
};

}  // namespace mantissa
