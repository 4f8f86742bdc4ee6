#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mantissa {

/// SentencePiece's table of replacements ("precompiled charsmap"): a double-array trie (Aoe 1989,
/// as Darts-clone lays it out) from byte strings to their replacements.
class CharsMap {
 public:
  CharsMap() = default;
  /// Throws Error naming `label` if the bytes aren't such a table.
  CharsMap(std::string_view bytes, const std::string& label);

  /// Replaces as the tokenizers library does: grapheme by grapheme; a short one of which the table
  /// has only a prefix is replaced by that prefix's entry.
  std::string apply(std::string_view text) const;

 private:
  /// Replacement of the shortest entry that `text` starts with; false if there is none.
  bool replaced(std::string_view text, std::string& out) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

/// A unigram language model over pieces (Kudo, arXiv 1804.10959), as the tokenizers library runs
/// it: words split at white space, each with a leading "▁", the best path of piece scores per word,
/// a run of unknown characters as one piece.
class UnigramModel {
 public:
  /// From `model` and `normalizer` of a tokenizer.json. Throws Error naming `label` and the field.
  UnigramModel(const nlohmann::json& file, const std::string& label);

  const CharsMap& normaliser() const { return normaliser_; }
  /// Appends the ids of normalised text.
  void encode(std::string_view text, std::vector<std::int32_t>& ids) const;
  int size() const { return static_cast<int>(scores_.size()); }

 private:
  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  CharsMap normaliser_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> pieces_;
  std::vector<double> scores_;
  std::size_t longest_ = 0;  ///< bytes of the longest piece
  double unknown_score_ = 0;
  std::int32_t unknown_ = 0;
};

}  // namespace mantissa
