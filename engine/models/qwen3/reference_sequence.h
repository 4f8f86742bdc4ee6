#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/latent_size.h"

namespace mantissa {

/// A text with reference images in it, as one sequence of tokens.
class ReferenceSequence {
 public:
  /// A run of text, or a reference.
  struct Run {
    std::int64_t count = 0;
    std::int64_t begin = 0;  ///< in the sequence
    std::int64_t text = 0;   ///< tokens of the text before it
    int reference = -1;      ///< its number; -1: text
  };

  /// `references`: rows and columns of their tokens; `places`: tokens of the text before each,
  /// ascending.
  ReferenceSequence(std::int64_t tokens, std::span<const LatentSize> references,
                    std::span<const std::int64_t> places);

  std::int64_t tokens() const { return tokens_; }  ///< of the text alone
  std::int64_t count() const { return count_; }
  const std::vector<Run>& runs() const { return runs_; }
  bool plain() const { return references_.empty(); }
  const std::vector<LatentSize>& references() const { return references_; }

  /// The text's tokens [b, tokens, c] and each reference's in their order: [b, count, c].
  Value joined(Value text, std::span<const Value> references) const;
  /// The text's tokens of [b, count, c].
  Value text_of(Value sequence) const;

 private:
  std::int64_t tokens_, count_ = 0;
  std::vector<LatentSize> references_;
  std::vector<Run> runs_;
};

}  // namespace mantissa
