#pragma once
// Sequences of tokens, cut and joined; images cut into patches.

#include "engine/graph/graph.h"

namespace mantissa {

/// Tokens [begin, begin + count) of x [b, tokens, c].
Value take_tokens(Value x, std::int64_t begin, std::int64_t count);
/// Rows [begin, begin + count) of x [rows, c].
Value take_rows(Value x, std::int64_t begin, std::int64_t count);
/// b's tokens behind a's: [b, tokens of a and b, c].
Value join_tokens(Value a, Value b);
/// A slice of split_channels as a tensor of its own, for an op that reads whole rows.
Value packed(Value x);

/// x [b, h, w, c] as patches of side·side pixels: [b, h/side, w/side, c·side²], the pixels of each
/// channel together. The sides must be multiples of `side`.
Value to_patches(Value x, std::int64_t side);
/// The inverse.
Value from_patches(Value x, std::int64_t side);
/// The inverse for patches that have the channels of each pixel together.
Value from_pixels(Value x, std::int64_t side);

}  // namespace mantissa
