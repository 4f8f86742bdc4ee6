#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// A token that a tokenizer finds in the text as it is written, before the text is cut into words:
/// BOS and EOS, textual inversion's words. The flags are those of tokenizer.json.
struct AddedToken {
  std::string content;
  std::int32_t id = 0;
  bool single_word = false;  ///< not inside a word
  bool lstrip = false;       ///< takes the white space in front with it
  bool rstrip = false;       ///< and behind
  bool normalized = false;   ///< looked for in the normalised text, itself normalised
};

/// The added tokens of one tokenizer.
class AddedTokens {
 public:
  using Normalise = std::function<std::string(std::string_view)>;
  AddedTokens() = default;
  AddedTokens(std::vector<AddedToken> tokens, const Normalise& normalise);

  /// Cuts `text` at its added tokens, the longest where several start, first those of the raw text,
  /// then, in what is left once `normalise` has seen it, the normalised ones. `token` and `rest`
  /// are called in the order of the text, `rest` with normalised text.
  void split(std::string_view text, const Normalise& normalise,
             const std::function<void(std::int32_t)>& token,
             const std::function<void(std::string_view)>& rest) const;

 private:
  std::vector<AddedToken> raw_, normalised_;
};

}  // namespace mantissa
