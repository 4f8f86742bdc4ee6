#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/io/tokenizer.h"

namespace mantissa {

/// A caption of any length as CLIP input: consecutive chunks of `length` ids, and the weight of
/// each slot's state.
struct ClipChunks {
  std::vector<std::int32_t> ids;  ///< [chunks·length]
  std::vector<float> weights;     ///< [chunks·(length - 2) + 2], of the rejoined states
};

/// Splits the caption's ids into `chunks` pieces of length - 2, each with its own BOS and EOS
/// (kohya's rule): padding stays padding, a piece that ends in a word ends in EOS,
/// and one that begins with padding begins with EOS. One chunk equals encode_padded's result. With
/// `weighted` the caption's emphasis is read, else its brackets are text.
ClipChunks clip_chunks(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       int chunks, int pad_id, bool weighted);

/// Tokens of the whole caption, without BOS and EOS.
std::int64_t clip_length(const ClipTokenizer& tokenizer, std::string_view caption, bool weighted);

/// Chunks needed for the whole caption, at least 1.
int clip_chunks_needed(const ClipTokenizer& tokenizer, std::string_view caption, int length,
                       bool weighted);

}  // namespace mantissa
