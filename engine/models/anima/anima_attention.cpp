#include "engine/models/anima/anima_attention.h"

#include <cmath>

#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr Projections::Run kAnimaQ{0, 1}, kAnimaQkv{0, 3}, kAnimaKv{1, 2};

Projections anima_projections(const Scope& scope, const AnimaAttentionShape& shape,
                              const AttentionNames& names) {
  const std::int64_t inner = std::int64_t{shape.heads} * shape.head_dim;
  std::vector<Linear> layers;
  layers.emplace_back(scope / names.q, shape.width, inner, /*bias=*/false);
  layers.emplace_back(scope / names.k, shape.context, inner, /*bias=*/false);
  layers.emplace_back(scope / names.v, shape.context, inner, /*bias=*/false);
  return {scope, std::move(layers), {shape.self ? kAnimaQkv : kAnimaKv}};
}

}  // namespace

AnimaAttention::AnimaAttention(const Scope& scope, const AnimaAttentionShape& shape,
                               const Names& names)
    : path_(scope.path()),
      self_(shape.self),
      qkv_(anima_projections(scope, shape, names.layers)),
      norm_q_(scope / names.norm_q, shape.head_dim, shape.norm_eps),
      norm_k_(scope / names.norm_k, shape.head_dim, shape.norm_eps),
      out_(scope / names.layers.out, std::int64_t{shape.heads} * shape.head_dim, shape.width,
           /*bias=*/false) {
  options_.heads = shape.heads;
  options_.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(shape.head_dim)));
}

Value AnimaAttention::operator()(Value x, Value context, const AnimaRotation& rotation,
                                 Value keys) const {
  Graph& graph = x.graph();
  std::vector<Value> qkv = qkv_(x, self_ ? kAnimaQkv : kAnimaQ);
  if (!self_) {
    const std::vector<Value> kv = qkv_(context, kAnimaKv);
    qkv.insert(qkv.end(), kv.begin(), kv.end());
  }
  Value q = norm_q_.of_heads(packed(qkv[0])), k = norm_k_.of_heads(packed(qkv[1]));
  graph.set_path(path_);
  if (rotation.cos) {
    const RopeOptions turn{.heads = options_.heads, .pairs = RopePairs::halves};
    q = rope(q, rotation.cos, rotation.sin, turn);
    k = rope(k, rotation.cos, rotation.sin, turn);
  }
  return out_(attention(q, k, qkv[2], options_, {.keys = keys}));
}

}  // namespace mantissa
