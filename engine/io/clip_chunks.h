#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/io/tokenizer.h"

namespace mantissa {

/// A caption of any length as CLIP reads it: pieces of `length` ids one behind the other, and how
/// much the state of each slot counts.
struct ClipChunks {
  std::vector<std::int32_t> ids;  ///< [chunks·length]
  std::vector<float> weights;     ///< [chunks·(length - 2) + 2], of the rejoined states
};

/// Cuts the caption's ids into `chunks` pieces of length - 2, each in BOS and EOS of its own
/// (models.md c.5, kohya's rule): what is padding stays padding, a piece that ends in a word ends
/// in EOS, and one that begins with padding begins with EOS. One chunk is what encode_padded gives.
/// With `weighted` the caption's emphasis is read, else its brackets are text.
ClipChunks clip_chunks(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       int chunks, int pad_id, bool weighted);

/// Chunks that hold the whole caption, at least 1.
int clip_chunks_needed(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       bool weighted);

}  // namespace mantissa
