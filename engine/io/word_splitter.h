#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mantissa {

/// Splits text into words by regular expressions, one after the other: each match is a word, and so
/// is each part between matches, as "Split" with behavior "Isolated" in a tokenizer.json. The
/// expressions are those of Oniguruma, which the tokenizers library uses, as far as PCRE2 gives
/// them the same meaning. Immutable and safe to share between threads; copies share the compiled
/// expressions.
class WordSplitter {
 public:
  WordSplitter() = default;
  /// Throws Error that begins with `label`, and names the place, for an expression that is invalid
  /// or that PCRE2 would read in another way.
  WordSplitter(const std::vector<std::string>& expressions, const std::string& label);

  /// Calls `word` with the words of `text`, which must be valid UTF-8, in order; together they are
  /// the text. Throws Error if an expression needs too many steps for it.
  void split(std::string_view text, const std::function<void(std::string_view)>& word) const;

 private:
  struct Expression;
  void split_from(std::size_t first, std::string_view text,
                  const std::function<void(std::string_view)>& word) const;

  std::vector<std::shared_ptr<const Expression>> expressions_;
};

}  // namespace mantissa
