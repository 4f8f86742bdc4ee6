#pragma once

#include <string>

#include "engine/graph/ops.h"
#include "engine/nn/attention.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// cos and sin of rotary embeddings, [1, tokens, head_dim/2] each; absent: nothing turns.
struct AnimaRotation {
  Value cos, sin;
};

struct AnimaAttentionShape {
  std::int64_t width;    ///< of queries and of the output
  std::int64_t context;  ///< of the source of keys and values
  int heads, head_dim;
  double norm_eps;
  bool self;  ///< keys and values come from the queries' tokens
};

/// Attention without biases whose queries and keys pass an RMSNorm of each head, then turn in
/// halves: of Anima's transformer and of its text conditioner.
class AnimaAttention {
 public:
  struct Names {
    AttentionNames layers;
    const char *norm_q, *norm_k;
  };
  static constexpr Names kTransformer{kDiffusersAttention, "norm_q", "norm_k"};
  static constexpr Names kConditioner{{"q_proj", "k_proj", "v_proj", "o_proj"}, "q_norm", "k_norm"};

  AnimaAttention(const Scope& scope, const AnimaAttentionShape& shape, const Names& names);
  /// x [b, tq, width], context [b, tk, context width], for self-attention x itself; `rotation` of
  /// both; keys [b, tk] as of AttentionBiasValues. -> x's shape.
  Value operator()(Value x, Value context, const AnimaRotation& rotation, Value keys = {}) const;

 private:
  std::string path_;
  bool self_;
  Projections qkv_;
  RmsNorm norm_q_, norm_k_;
  Linear out_;
  AttentionOptions options_;
};

}  // namespace mantissa
