#pragma once

#include <string>

#include "engine/graph/ops.h"
#include "engine/nn/linear.h"
#include "engine/nn/projections.h"

namespace mantissa {

/// A family's names of its projections.
struct AttentionNames {
  const char *q, *k, *v, *out;
};
inline constexpr AttentionNames kDiffusersAttention{"to_q", "to_k", "to_v", "to_out.0"};
inline constexpr AttentionNames kClipAttention{"q_proj", "k_proj", "v_proj", "out_proj"};
inline constexpr AttentionNames kT5Attention{"q", "k", "v", "o"};

struct AttentionShape {
  std::int64_t width;    ///< of queries and of the output
  std::int64_t context;  ///< of the source of keys and values
  int heads;
  bool qkv_bias = false;
  bool causal = false;
  std::int64_t inner = 0;  ///< all heads together; 0: width
  bool out_bias = true;
  bool scaled = true;  ///< scores are divided by √d (T5 has that in its weights)
};

/// Multi-head attention: out(softmax(q·kᵀ/√d + bias)·v) + residual.
class Attention {
 public:
  Attention(const Scope& scope, const AttentionShape& shape,
            const AttentionNames& names = kDiffusersAttention);
  /// x [b, tq, width], context [b, tk, context width] (x itself for self-attention), residual of
  /// x's shape or absent, bias as of `attention` (ops.h).
  Value operator()(Value x, Value context, Value residual = {},
                   const AttentionBiasValues& bias = {}) const;

 private:
  std::string path_;
  Projections qkv_;
  Linear out_;
  AttentionOptions options_;
};

}  // namespace mantissa
