#pragma once

#include <vector>

#include "engine/nn/attention.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"

namespace mantissa {

/// x += attn1(norm1 x); x += attn2(norm2 x, context); x += ff(norm3 x) with GEGLU. One
/// checkpointing segment.
class TransformerBlock {
 public:
  TransformerBlock(const Scope& scope, std::int64_t width, std::int64_t context, int heads);
  /// x [b, tokens, width], context [b, text, context].
  Value operator()(Value x, Value context) const;

 private:
  LayerNorm norm1_, norm2_, norm3_;
  Attention attn1_, attn2_;
  Linear ff_in_, ff_out_;
};

struct TransformerShape {
  std::int64_t channels;
  std::int64_t context;
  int heads;
  int blocks;
  int groups;
  LinearWeight projection = LinearWeight::matrix;
};

/// GroupNorm, projection, `blocks` transformer blocks over the pixels, projection, plus the input.
class SpatialTransformer {
 public:
  SpatialTransformer(const Scope& scope, const TransformerShape& shape);
  /// x [b, h, w, c] -> the same shape.
  Value operator()(Value x, Value context) const;

 private:
  GroupNorm norm_;
  Linear proj_in_, proj_out_;
  std::vector<TransformerBlock> blocks_;
};

}  // namespace mantissa
