#include "engine/models/anima/anima_text.h"

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/qwen3/qwen3.h"

namespace mantissa {
namespace {

constexpr double kConditionerEps = 1e-6;

AnimaAttentionShape conditioner_shape(const AnimaTextConfig& c, bool self) {
  return {.width = c.width,
          .context = self ? c.width : c.source,
          .heads = c.heads,
          .head_dim = c.head_dim(),
          .norm_eps = kConditionerEps,
          .self = self};
}

}  // namespace

AnimaTextConditioner::Block::Block(const AnimaTextConfig& c, const Scope& scope)
    : path(scope.path()),
      norm_self(scope / "norm_self_attn", c.width, kConditionerEps),
      norm_cross(scope / "norm_cross_attn", c.width, kConditionerEps),
      norm_mlp(scope / "norm_mlp", c.width, kConditionerEps),
      self_attention(scope / "self_attn", conditioner_shape(c, true), AnimaAttention::kConditioner),
      cross_attention(scope / "cross_attn", conditioner_shape(c, false),
                      AnimaAttention::kConditioner),
      feed_in(scope / "mlp.0", c.width, c.hidden()),
      feed_out(scope / "mlp.2", c.hidden(), c.width) {}

AnimaTextConditioner::AnimaTextConditioner(const AnimaTextConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      tokens_(scope / "embed", c.vocab, c.target),
      exit_(scope / "out_proj", c.width, c.target),
      norm_(scope / "norm", c.target, kConditionerEps) {
  if (c.width != c.target) {
    entry_.emplace(scope / "in_proj", c.target, c.width);
  }
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c, scope / "blocks" / i);
  }
}

Value AnimaTextConditioner::run_block(const Block& block, Value x,
                                      const AnimaTextInputs& in) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  const auto plus = [&](Value y) {
    graph.set_path(block.path);
    x = add(x, y);
  };
  const Value h = block.norm_self(x);
  plus(block.self_attention(h, h, in.rotation, in.keys));
  plus(block.cross_attention(block.norm_cross(x), in.source, in.rotation, in.source_keys));
  const Value wide = block.feed_in(block.norm_mlp(x));
  graph.set_path(block.path + ".mlp");
  return block.feed_out(unary(Unary::gelu_erf, wide), x);
}

Value AnimaTextConditioner::forward(Graph& graph, const AnimaTextInputs& given) const {
  graph.set_path(path_);
  const Shape source = given.source.shape(), ids = given.ids.shape();
  check_op(source.rank() == 3 && source[2] == config_.source && ids.rank() == 2 &&
               ids[0] == source[0] && ids[1] == source[1],
           "anima_text", given.source, [&] {
             return "hidden states must be [batch, tokens, " + std::to_string(config_.source) +
                    "] with as many ids; got " + describe(given.source) + " and " +
                    describe(given.ids);
           });
  AnimaTextInputs in = given;
  in.source = cast(given.source, activations_);
  in.rotation = {cast(given.rotation.cos, statistics_), cast(given.rotation.sin, statistics_)};
  Value x = tokens_(given.ids);
  x = entry_ ? (*entry_)(x) : x;
  for (const Block& block : blocks_) {
    x = run_block(block, x, in);
  }
  const Value out = norm_(exit_(x));
  graph.set_path(path_);
  return zero_padding(cast(out, statistics_), cast(given.real, statistics_));
}

RotaryTables anima_text_positions(std::int64_t tokens, const AnimaTextConfig& c) {
  const RotaryAxis axis{.width = c.head_dim()};
  std::vector<double> positions;
  for (std::int64_t i = 0; i < tokens; ++i) {
    positions.push_back(static_cast<double>(i));
  }
  return rotary_tables({&axis, 1}, positions);
}

}  // namespace mantissa
