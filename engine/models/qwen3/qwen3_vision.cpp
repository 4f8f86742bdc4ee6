#include "engine/models/qwen3/qwen3_vision.h"

#include <algorithm>

#include "engine/graph/ops.h"

namespace mantissa {
namespace {

constexpr double kVisionEps = 1e-6;

std::int64_t square_width(const Qwen3VisionConfig& config) {
  return std::int64_t{config.hidden} * config.merge * config.merge;
}

}  // namespace

Qwen3Vision::Block::Block(const Qwen3VisionConfig& config, const Scope& scope)
    : norm1(scope / "norm1", config.hidden, kVisionEps),
      norm2(scope / "norm2", config.hidden, kVisionEps),
      qkv(scope / "attn.qkv", config.hidden, 3 * std::int64_t{config.hidden}),
      proj(scope / "attn.proj", config.hidden, config.hidden),
      fc1(scope / "mlp.linear_fc1", config.hidden, config.intermediate),
      fc2(scope / "mlp.linear_fc2", config.intermediate, config.hidden),
      attention_path((scope / "attn").path()) {}

Qwen3Vision::Merger::Merger(const Qwen3VisionConfig& config, const Scope& scope, bool squares)
    : of_squares(squares),
      norm(scope / "norm", squares ? square_width(config) : config.hidden, kVisionEps),
      fc1(scope / "linear_fc1", square_width(config), square_width(config)),
      fc2(scope / "linear_fc2", square_width(config), config.out) {}

Qwen3Vision::Qwen3Vision(const Qwen3VisionConfig& config, const Scope& scope)
    : config_(config),
      activations_(scope.activations()),
      stream_(scope.border()),
      entry_(config, scope / "patch_embed.proj", true),
      merger_(config, scope / "merger", false) {
  for (int i = 0; i < config.layers; ++i) {
    blocks_.emplace_back(config, scope / "blocks" / i);
  }
  for (std::size_t i = 0; i < config.deep.size(); ++i) {
    deep_.emplace_back(config, scope / "deepstack_merger_list" / static_cast<int>(i), true);
  }
}

Value Qwen3Vision::run_block(const Block& block, Value x, const Qwen3VisionInputs& in) const {
  const std::vector<Value> qkv = split_channels(block.qkv(cast(block.norm1(x), activations_)), 3);
  x.graph().set_path(block.attention_path);
  x = block.proj(vision_attention(qkv, in.cos, in.sin, config_), x);
  const Value h = block.fc1(cast(block.norm2(x), activations_));
  return block.fc2(unary(config_.erf ? Unary::gelu_erf : Unary::gelu_tanh, h), x);
}

Value Qwen3Vision::merged(const Merger& merger, Value x) const {
  const std::int64_t width = square_width(config_);
  const Shape squares{1, x.shape().count() / width, width};
  const Value normed =
      merger.of_squares ? merger.norm(reshape(x, squares)) : reshape(merger.norm(x), squares);
  const Value h = merger.fc1(cast(normed, activations_));
  return cast(merger.fc2(unary(Unary::gelu_erf, h)), stream_);
}

SeenImage Qwen3Vision::forward(Graph& graph, const Qwen3VisionInputs& in) const {
  SeenImage seen;
  seen.deep.resize(deep_.size());
  Value x = add(cast(entry_(graph, in.patches), stream_), cast(in.positions, stream_));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    x = run_block(blocks_[i], x, in);
    const auto at = std::ranges::find(config_.deep, static_cast<int>(i));
    if (at != config_.deep.end()) {
      const auto index = static_cast<std::size_t>(at - config_.deep.begin());
      seen.deep[index] = merged(deep_[index], x);
    }
  }
  seen.tokens = merged(merger_, x);
  return seen;
}

}  // namespace mantissa
