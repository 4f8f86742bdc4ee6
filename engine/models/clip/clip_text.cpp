#include "engine/models/clip/clip_text.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/graph/ops.h"

namespace mantissa {

ClipText::Layer::Layer(const ClipConfig& config, const Scope& scope)
    : norm1(scope / "layer_norm1", config.hidden, config.norm_eps),
      norm2(scope / "layer_norm2", config.hidden, config.norm_eps),
      attention(scope / "self_attn",
                {config.hidden, config.hidden, config.heads, /*qkv_bias=*/true, /*causal=*/true},
                kClipAttention),
      fc1(scope / "mlp.fc1", config.hidden, config.intermediate),
      fc2(scope / "mlp.fc2", config.intermediate, config.hidden) {}

ClipText::ClipText(const ClipConfig& config, const Scope& scope)
    : config_(config),
      border_(scope.border()),
      tokens_(scope / "text_model.embeddings.token_embedding", config.vocab, config.hidden),
      positions_(scope / "text_model.embeddings.position_embedding", config.positions,
                 config.hidden),
      final_norm_(scope / "text_model.final_layer_norm", config.hidden, config.norm_eps) {
  for (int i = 0; i < config.layers; ++i) {
    layers_.emplace_back(config, scope / "text_model.encoder.layers" / i);
  }
  if (config.projection_dim > 0) {
    projection_.emplace(scope / "text_projection", config.hidden, config.projection_dim,
                        /*bias=*/false);
  }
}

Value ClipText::run_layer(const Layer& layer, Value x) const {
  const Segment segment(x.graph());
  const Value self = layer.norm1(x);
  x = layer.attention(self, self, x);
  const Segment feed_forward(x.graph(), SegmentScope::feed_forward);
  const Value h = layer.fc1(layer.norm2(x));  // [b, tokens, intermediate]
  return layer.fc2(unary(config_.quick_gelu ? Unary::gelu_quick : Unary::gelu_erf, h), x);
}

ClipOutput ClipText::forward(Graph& graph, Value ids, Value position_ids, Value pool_index,
                             const ClipTake& take) const {
  const int kept = config_.layers - (take.from_end - 1);
  if (take.from_end < 1 || kept < 1) {
    throw Error(Message::verbatim("fewer layers of CLIP than are skipped: planning refuses it"));
  }
  Value x = add(tokens_(ids), positions_(position_ids));  // [b, tokens, hidden]
  const auto first = static_cast<std::size_t>(kept);
  for (std::size_t i = 0; i < first; ++i) {
    x = run_layer(layers_[i], x);
  }
  ClipOutput result{cast(take.final_norm ? final_norm_(x) : x, border_), {}};
  if (pool_index && (projection_ || take.pools_states)) {
    for (std::size_t i = first; i < layers_.size(); ++i) {
      x = run_layer(layers_[i], x);
    }
    const Value state = gather_tokens(final_norm_(x), pool_index);
    result.pooled = cast(projection_ ? (*projection_)(state) : state, border_);
  }
  return result;
}

std::int32_t clip_pool_index(std::span<const std::int32_t> ids, int eos_id) {
  const auto found = eos_id == 2 ? std::max_element(ids.begin(), ids.end())
                                 : std::find(ids.begin(), ids.end(), eos_id);
  return found == ids.end() ? 0 : static_cast<std::int32_t>(found - ids.begin());
}

std::int32_t clip_pool_index(std::vector<std::int32_t> ids, const ClipConfig& config) {
  std::ranges::replace_if(
      ids, [&](std::int32_t id) { return id >= config.vocab; }, 0);
  return clip_pool_index(ids, config.eos_id);
}

std::vector<std::int32_t> clip_position_ids(std::int64_t batch, std::int64_t tokens) {
  std::vector<std::int32_t> ids;
  for (std::int64_t i = 0; i < batch * tokens; ++i) {
    ids.push_back(static_cast<std::int32_t>(i % tokens));
  }
  return ids;
}

}  // namespace mantissa
