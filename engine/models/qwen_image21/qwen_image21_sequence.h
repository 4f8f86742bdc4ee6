#pragma once

#include <cstdint>
#include <vector>

#include "engine/models/latent_size.h"
#include "engine/models/qwen3/reference_sequence.h"
#include "engine/models/qwen_image21/qwen_image21_config.h"
#include "engine/nn/rotary.h"

namespace mantissa {

/// How far a sequence's references move what is behind them: each by its longer side.
std::int64_t qwen_image21_moved(const ReferenceSequence& sequence);
/// Scores of the text's tokens: 0 for what is before each and for itself, else kMaskedKey;
/// [tokens, count].
std::vector<float> qwen_image21_order(const ReferenceSequence& sequence);

/// RoPE of a sequence and behind it of an image: a token of the text is at (p, p, p), where p
/// counts text and the longer sides of references before it; a latent at (p, row, column), rows and
/// columns counted from the middle. The image's p depends on the text's length, and its channels
/// are zeros here: the transformer fills them in.
RotaryTables qwen_image21_positions(const ReferenceSequence& sequence, LatentSize image,
                                    const QwenImage21Config& config);

}  // namespace mantissa
