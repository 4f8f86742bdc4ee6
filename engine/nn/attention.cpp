#include "engine/nn/attention.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {

Attention::Attention(const Scope& scope, const AttentionShape& shape, const AttentionNames& names)
    : path_(scope.path()),
      q_(scope / names.q, shape.width, shape.width, shape.qkv_bias),
      k_(scope / names.k, shape.context, shape.width, shape.qkv_bias),
      v_(scope / names.v, shape.context, shape.width, shape.qkv_bias),
      out_(scope / names.out, shape.width, shape.width) {
  if (shape.heads < 1 || shape.width % shape.heads != 0) {
    throw Error(path_ + ": " + std::to_string(shape.heads) + " heads don't divide the width " +
                std::to_string(shape.width) + "; check the number of heads in the config");
  }
  options_.heads = shape.heads;
  options_.scale =
      static_cast<float>(1.0 / std::sqrt(static_cast<double>(shape.width) / shape.heads));
  options_.causal = shape.causal;
}

Value Attention::operator()(Value x, Value context, Value residual) const {
  const Value q = q_(x);        // [b, tq, width]
  const Value k = k_(context);  // [b, tk, width]
  const Value v = v_(context);
  x.graph().set_path(path_);
  return out_(attention(q, k, v, options_), residual);
}

}  // namespace mantissa
