#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/nn/rotary.h"

namespace mantissa {

/// Added to the scores of a key that is padding. Finite, so that a row of padding before the first
/// token stays finite too.
inline constexpr float kMaskedKey = -10000.0F;

/// How many positions the tokens of a text have.
enum class Qwen3Positions {
  all,             ///< every token, padding too: transformers' default
  real,            ///< padding has the position of the token before it (Qwen3-VL)
  padding_at_one,  ///< padding has position 1, as transformers 4 gave it (FLUX.3)
};

/// Declares an encoder's inputs "<prefix>_ids", "_keys", "_cos" and "_sin" for `batch` texts of
/// `tokens`.
Qwen3Inputs qwen3_inputs(Graph& graph, const std::string& prefix, const Qwen3Config& config,
                         std::int64_t batch, std::int64_t tokens,
                         Qwen3Positions positions = Qwen3Positions::all);
/// Feeds them, and "<prefix>_real" if declared (see zero_padding). ids and real [b, tokens]: ids
/// from the vocabulary's size on are those of new words' vectors; real is 1 for a token and 0 for
/// padding.
void feed_qwen3(Executor& executor, const std::string& prefix, const Qwen3Config& config,
                std::span<const std::int32_t> ids, std::span<const std::uint8_t> real,
                Qwen3Positions positions = Qwen3Positions::all);

/// 0 for tokens, kMaskedKey for padding.
std::vector<float> qwen3_key_mask(std::span<const std::uint8_t> real);
/// Tables of rotary embeddings for positions [...]: one axis of head_dim channels.
RotaryTables qwen3_tables(const Qwen3Config& config, std::span<const double> positions);

}  // namespace mantissa
