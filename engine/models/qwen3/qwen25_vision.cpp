#include "engine/models/qwen3/qwen25_vision.h"

#include <algorithm>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr double kQwen25VisionEps = 1e-6;

/// Channels of the patches that become one token.
std::int64_t merged_width(const Qwen25VisionConfig& config) {
  return std::int64_t{config.hidden} * config.merge * config.merge;
}

}  // namespace

Qwen25Vision::Block::Block(const Qwen25VisionConfig& c, const Scope& scope, int index)
    : norm1(scope / "norm1", c.hidden, kQwen25VisionEps),
      norm2(scope / "norm2", c.hidden, kQwen25VisionEps),
      qkv(scope / "attn.qkv", c.hidden, 3 * std::int64_t{c.hidden}),
      proj(scope / "attn.proj", c.hidden, c.hidden),
      gate(scope / "mlp.gate_proj", c.hidden, c.intermediate),
      up(scope / "mlp.up_proj", c.hidden, c.intermediate),
      down(scope / "mlp.down_proj", c.intermediate, c.hidden),
      attention_path((scope / "attn").path()),
      mlp_path((scope / "mlp").path()),
      whole(std::ranges::find(c.whole, index) != c.whole.end()) {}

Qwen25Vision::Qwen25Vision(const Qwen25VisionConfig& config, const Scope& scope)
    : config_(config),
      activations_(scope.activations()),
      stream_(scope.border()),
      entry_(config, scope / "patch_embed.proj", false),
      merger_path_((scope / "merger").path()),
      merger_norm_(scope / "merger.ln_q", config.hidden, kQwen25VisionEps),
      merger1_(scope / "merger.mlp.0", merged_width(config), merged_width(config)),
      merger2_(scope / "merger.mlp.2", merged_width(config), config.out) {
  for (int i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(config, scope / "blocks" / i, i);
  }
}

Value Qwen25Vision::run_block(const Block& block, Value x, const Qwen25VisionInputs& in) const {
  const std::vector<Value> qkv = split_channels(block.qkv(cast(block.norm1(x), activations_)), 3);
  x.graph().set_path(block.attention_path);
  const Value mixed = block.whole ? vision_attention(qkv, in.cos, in.sin, config_)
                                  : vision_attention(qkv, in.cos, in.sin, config_, in.windows);
  x = block.proj(mixed, x);
  const Value h = cast(block.norm2(x), activations_);
  const Value gate = block.gate(h), up = block.up(h);
  x.graph().set_path(block.mlp_path);
  return block.down(swiglu(gate, up), x);
}

Value Qwen25Vision::merged(Value x, Value order) const {
  const std::int64_t width = merged_width(config_);
  const Shape squares{1, x.shape().count() / width, width};
  const Value h = merger1_(cast(reshape(merger_norm_(x), squares), activations_));
  const Value tokens = cast(merger2_(unary(Unary::gelu_erf, h)), stream_);
  x.graph().set_path(merger_path_);
  return embedding(reshape(tokens, {squares[1], config_.out}), order);
}

Value Qwen25Vision::forward(Graph& graph, const Qwen25VisionInputs& in) const {
  Value x = cast(entry_(graph, in.patches), stream_);
  for (const Block& block : blocks_) {
    x = run_block(block, x, in);
  }
  return merged(x, in.order);
}

}  // namespace mantissa
