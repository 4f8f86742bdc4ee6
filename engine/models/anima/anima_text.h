#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/anima/anima_attention.h"
#include "engine/models/anima/anima_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/word_embedding.h"

namespace mantissa {

/// What the text conditioner reads of a batch of texts, padded to one number of tokens.
struct AnimaTextInputs {
  Value source;            ///< [b, tokens, source]: Qwen3's hidden states, zeros behind a text
  Value source_keys;       ///< [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey
  Value ids;               ///< [b, tokens] int32 of T5's tokenizer
  Value keys;              ///< [b, tokens] fp32 of these
  Value real;              ///< [b, tokens] fp32: 1 for these, 0 behind them
  AnimaRotation rotation;  ///< [1, tokens, head_dim/2] fp32: see anima_text_positions
};

/// RoPE of `tokens`, one axis.
RotaryTables anima_text_positions(std::int64_t tokens, const AnimaTextConfig& config);

/// Anima's text conditioner, which its single files call llm_adapter; diffusers names. Embeddings
/// of T5's ids attend to each other, then to Qwen3's states, in place of the T5 that
/// Cosmos-Predict2 was trained with.
class AnimaTextConditioner {
 public:
  AnimaTextConditioner(const AnimaTextConfig& config, const Scope& scope);

  /// -> [b, tokens, target], fp32, zeros behind a text.
  Value forward(Graph& graph, const AnimaTextInputs& inputs) const;

  const AnimaTextConfig& config() const { return config_; }

 private:
  struct Block {
    std::string path;
    RmsNorm norm_self, norm_cross, norm_mlp;
    AnimaAttention self_attention, cross_attention;
    Linear feed_in, feed_out;
    Block(const AnimaTextConfig& config, const Scope& scope);
  };
  Value run_block(const Block& block, Value x, const AnimaTextInputs& inputs) const;

  AnimaTextConfig config_;
  std::string path_;
  DType activations_, statistics_;
  WordEmbedding tokens_;
  std::optional<Linear> entry_;  ///< only between different widths
  std::vector<Block> blocks_;
  Linear exit_;
  RmsNorm norm_;
};

}  // namespace mantissa
