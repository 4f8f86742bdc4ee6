#include "engine/nn/attention.h"

#include <cmath>

#include "engine/core/error.h"

namespace mantissa {

namespace {

std::int64_t inner_width(const AttentionShape& shape) {
  return shape.inner > 0 ? shape.inner : shape.width;
}

constexpr Projections::Run kQ{0, 1}, kAll{0, 3}, kKeysAndValues{1, 2};

Projections projections(const Scope& scope, const AttentionShape& shape,
                        const AttentionNames& names) {
  const std::int64_t inner = inner_width(shape);
  std::vector<Linear> layers;
  layers.emplace_back(scope / names.q, shape.width, inner, shape.qkv_bias);
  layers.emplace_back(scope / names.k, shape.context, inner, shape.qkv_bias);
  layers.emplace_back(scope / names.v, shape.context, inner, shape.qkv_bias);
  std::vector<Projections::Run> runs{kKeysAndValues};
  if (shape.context == shape.width) {
    runs.insert(runs.begin(), kAll);
  }
  return {scope, std::move(layers), runs};
}

}  // namespace

Attention::Attention(const Scope& scope, const AttentionShape& shape, const AttentionNames& names)
    : path_(scope.path()),
      qkv_(projections(scope, shape, names)),
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
  std::vector<Value> qkv;  // [b, tq, width], [b, tk, width] twice
  if (x.id() == context.id()) {
    qkv = qkv_(x, kAll);
  } else {
    qkv = qkv_(x, kQ);
    const std::vector<Value> kv = qkv_(context, kKeysAndValues);
    qkv.insert(qkv.end(), kv.begin(), kv.end());
  }
  x.graph().set_path(path_);
  return out_(attention(qkv[0], qkv[1], qkv[2], options_, bias), residual);
}

}  // namespace mantissa
