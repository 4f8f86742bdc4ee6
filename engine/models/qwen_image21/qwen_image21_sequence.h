#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/latent_size.h"
#include "engine/models/qwen_image21/qwen_image21_config.h"
#include "engine/nn/rotary.h"

namespace mantissa {

/// A text with reference images in it, as Qwen-Image-2.1's transformer reads them before the image.
class QwenImage21Sequence {
 public:
  /// A run of text, or a reference.
  struct Run {
    std::int64_t count = 0;
    std::int64_t begin = 0;  ///< in the sequence
    std::int64_t text = 0;   ///< tokens of the text before it
    int reference = -1;      ///< its number; -1: text
  };

  /// `places`: tokens of the text before each reference, ascending.
  QwenImage21Sequence(std::int64_t tokens, std::span<const LatentSize> references,
                      std::span<const std::int64_t> places);

  std::int64_t tokens() const { return tokens_; }  ///< of the text alone
  std::int64_t count() const { return count_; }
  const std::vector<Run>& runs() const { return runs_; }
  bool plain() const { return references_.empty(); }
  const std::vector<LatentSize>& references() const { return references_; }
  /// How far the references move what is behind them: each by its longer side.
  std::int64_t moved() const;

  /// The text's tokens [b, tokens, c] and each reference's in their order: [b, count, c].
  Value joined(Value text, std::span<const Value> references) const;
  /// The text's tokens of [b, count, c].
  Value text_of(Value sequence) const;
  /// Scores of the text's tokens: 0 for what is before each and for itself, else kMaskedKey;
  /// [tokens, count].
  std::vector<float> order() const;

 private:
  std::int64_t tokens_, count_ = 0;
  std::vector<LatentSize> references_;
  std::vector<Run> runs_;
};

/// RoPE of a sequence and behind it of an image: a token of the text is at (p, p, p), where p
/// counts text and the longer sides of references before it; a latent at (p, row, column), rows and
/// columns counted from the middle. The image's p depends on the text's length, and its channels
/// are zeros here: the transformer fills them in.
RotaryTables qwen_image21_positions(const QwenImage21Sequence& sequence, LatentSize image,
                                    const QwenImage21Config& config);

}  // namespace mantissa
