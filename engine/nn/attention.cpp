#include "engine/nn/attention.h"

#include <cmath>

#include "engine/core/error.h"

namespace mantissa {

namespace {

std::int64_t inner_width(const AttentionShape& shape) {
  return shape.inner > 0 ? shape.inner : shape.width;
}

}  // namespace

Attention::Attention(const Scope& scope, const AttentionShape& shape, const AttentionNames& names)
    : path_(scope.path()),
      q_(scope / names.q, shape.width, inner_width(shape), shape.qkv_bias),
      k_(scope / names.k, shape.context, inner_width(shape), shape.qkv_bias),
      v_(scope / names.v, shape.context, inner_width(shape), shape.qkv_bias),
      out_(scope / names.out, inner_width(shape), shape.width, shape.out_bias) {
  const std::int64_t inner = inner_width(shape);
  if (shape.heads < 1 || inner % shape.heads != 0) {
    throw Error(message<"{path}: {heads} heads don't divide the width {width}; check the number of "
                        "heads in the config">(path_, shape.heads, inner));
  }
  options_.heads = shape.heads;
  const double head = static_cast<double>(inner) / shape.heads;
  options_.scale = shape.scaled ? static_cast<float>(1.0 / std::sqrt(head)) : 1.0F;
  options_.causal = shape.causal;
}

Value Attention::operator()(Value x, Value context, Value residual,
                            const AttentionBiasValues& bias) const {
  const Value q = q_(x);        // [b, tq, width]
  const Value k = k_(context);  // [b, tk, width]
  const Value v = v_(context);
  x.graph().set_path(path_);
  return out_(attention(q, k, v, options_, bias), residual);
}

}  // namespace mantissa
