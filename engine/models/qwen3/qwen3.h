#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/graph/ops.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/scope.h"
#include "engine/nn/word_embedding.h"

namespace mantissa {

/// What Qwen3Text reads (qwen3_inputs.h declares and feeds it). fp32 is fp64 in an fp64 graph.
struct Qwen3Inputs {
  Value ids;       ///< [b, tokens] int32
  Value keys;      ///< [b, tokens] fp32, added to the scores of each key: 0, or kMaskedKey
  Value cos, sin;  ///< [1 or b, tokens, head_dim/2] fp32: see qwen3_tables
};

/// Keys and values of some tokens in one layer: [b, tokens, key heads·head_dim], rotated already.
struct Qwen3KeysValues {
  Value keys, values;
};

/// What layers are given and what they keep beside the hidden states, where a text has images in
/// it or is written token by token.
struct Qwen3Beside {
  /// Added to what the first layers give, one each: [b, tokens, hidden] of the stream's dtype.
  std::vector<Value> added;
  /// Keys and values of the tokens before these, by layer; then every token attends to all keys
  /// that Qwen3Inputs::keys [b, tokens before and these] lets it. Empty: there are none before.
  std::vector<Qwen3KeysValues> before;
  std::vector<Qwen3KeysValues> own;  ///< those of these tokens, by layer: a result
};

/// Whether the last hidden state has passed the final norm, as it has in transformers 5.
enum class LastState { normed, as_it_is };

/// A Qwen3 decoder as text encoder (Yang et al., arXiv 2505.09388), transformers names: causal
/// attention with grouped queries, RMSNorm of each head of q and k, rotary positions, SwiGLU. Or a
/// Qwen2.5 (arXiv 2412.15115), with biases of q, k and v in place of these norms, or a Ministral 3
/// with neither.
///
/// The residual stream is fp32 regardless of the compute dtype. Qwen3 was trained in BF16 and has
/// outliers beyond FP16's range; families that use it set Family::bf16_native, for which the
/// precision catalogue replaces FP16.
class Qwen3Text {
 public:
  /// `states`: the hidden states that `forward` returns, in that order, numbered as in
  /// transformers: 0 is the embedding, k the output of layer k, and the last one
  /// (config.layers) has passed the final norm, or not: `last`. Layers after the greatest aren't
  /// loaded and get no adapters. Throws Error if a state doesn't exist.
  Qwen3Text(const Qwen3Config& config, const Scope& scope, std::vector<int> states,
            LastState last = LastState::normed);

  /// -> [b, tokens, states·hidden], fp32: the states side by side. Rows of padding hold what
  /// attention to the tokens before them gives, as in transformers; `zero_padding` clears them.
  Value forward(Graph& graph, const Qwen3Inputs& in) const;
  /// The states of tokens as `embed` gives them: `in.ids` isn't read, and `in.keys` may be absent.
  Value forward(Value embedded, const Qwen3Inputs& in, Qwen3Beside* beside = nullptr) const;
  /// ids [b, tokens], an input that WordEmbedding::feed fills -> [b, tokens, hidden] of the
  /// stream's dtype.
  Value embed(Value ids) const;

  const Qwen3Config& config() const { return config_; }
  /// Width of the result.
  std::int64_t width() const { return static_cast<std::int64_t>(states_.size()) * config_.hidden; }

 private:
  struct Layer {
    RmsNorm norm1, norm2;
    std::optional<RmsNorm> q_norm, k_norm;  ///< of heads; only in a Qwen3
    Linear q, k, v, o;
    Projections gate_up;
    Linear down;
    std::string attention_path;
    Layer(const Qwen3Config& config, const Scope& scope);
  };
  Value attend(const Layer& layer, Value h, Value residual, const Qwen3Inputs& in,
               Qwen3Beside& beside) const;
  Value run_layer(const Layer& layer, Value x, const Qwen3Inputs& in, Qwen3Beside& beside) const;

  Qwen3Config config_;
  std::vector<int> states_;
  DType activations_, stream_;
  WordEmbedding tokens_;
  std::vector<Layer> layers_;
  std::optional<RmsNorm> final_norm_;  ///< only if that state is among `states`
};

/// hidden [b, tokens, width] with zeros in rows of padding: real [b, tokens] of its dtype is 1 for
/// a token, 0 for padding.
Value zero_padding(Value hidden, Value real);

}  // namespace mantissa
