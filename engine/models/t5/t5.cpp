#include "engine/models/t5/t5.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/ops.h"

namespace mantissa {

T5Encoder::Layer::Layer(const T5Config& config, const Scope& scope)
    : norm1(scope / "layer.0.layer_norm", config.hidden, config.norm_eps),
      norm2(scope / "layer.1.layer_norm", config.hidden, config.norm_eps),
      attention(scope / "layer.0.SelfAttention",
                {.width = config.hidden,
                 .context = config.hidden,
                 .heads = config.heads,
                 .inner = std::int64_t{config.heads} * config.head_dim,
                 .out_bias = false,
                 .scaled = false},
                kT5Attention),
      wi_0(scope / "layer.1.DenseReluDense.wi_0", config.hidden, config.intermediate, false),
      wi_1(scope / "layer.1.DenseReluDense.wi_1", config.hidden, config.intermediate, false),
      wo(scope / "layer.1.DenseReluDense.wo", config.intermediate, config.hidden, false) {}

T5Encoder::T5Encoder(const T5Config& config, const Scope& scope)
    : config_(config),
      bias_path_((scope / "encoder.block.0.layer.0.SelfAttention.relative_attention_bias").path()),
      activations_(scope.activations()),
      stream_(scope.border()),
      tokens_(scope / "shared", config.vocab, config.hidden),
      bias_table_(&(scope / "encoder.block.0.layer.0.SelfAttention")
                       .weight("relative_attention_bias.weight", {config.buckets, config.heads},
                               ModuleKind::norm)),
      final_norm_(scope / "encoder.final_layer_norm", config.hidden, config.norm_eps) {
  for (int i = 0; i < config.layers; ++i) {
    layers_.emplace_back(config, scope / "encoder.block" / i);
  }
}

Value T5Encoder::position_bias(Graph& graph, Value buckets) const {
  const Shape shape = buckets.shape();  // [tq, tk]
  graph.set_path(bias_path_);
  const Value rows = embedding(graph.use(*bias_table_), buckets);  // [tq, tk, heads]
  const Value by_head = swap_middle(reshape(rows, {1, shape.count(), config_.heads, 1}));
  return reshape(by_head, {config_.heads, shape[0], shape[1]});
}

Value T5Encoder::run_layer(const Layer& layer, Value x, const AttentionBiasValues& bias) const {
  const Segment segment(x.graph());
  const Value self = cast(layer.norm1(x), activations_);
  x = layer.attention(self, self, x, bias);  // the stream's dtype, as x
  const Segment feed_forward(x.graph(), SegmentScope::feed_forward);
  const Value h = cast(layer.norm2(x), activations_);
  const Value gate = unary(Unary::gelu_tanh, layer.wi_0(h));  // [b, tokens, intermediate]
  return layer.wo(multiply(gate, layer.wi_1(h)), x);
}

Value T5Encoder::forward(Graph& graph, Value ids, Value mask, Value buckets) const {
  const AttentionBiasValues bias{position_bias(graph, buckets), mask};
  Value x = cast(tokens_(ids), stream_);
  for (const Layer& layer : layers_) {
    x = run_layer(layer, x, bias);
  }
  return final_norm_(x);
}

std::vector<std::int32_t> t5_relative_buckets(std::int64_t tokens, const T5Config& config) {
  const int side = config.buckets / 2;  // for each sign of the distance
  const int exact = side / 2;
  std::vector<std::int32_t> ids;
  for (std::int64_t query = 0; query < tokens; ++query) {
    for (std::int64_t key = 0; key < tokens; ++key) {
      const auto distance = static_cast<int>(std::abs(key - query));
      int bucket = distance;
      if (distance >= exact) {
        // In fp32, as the reference computes it: at exact powers the floor depends on it.
        const float scaled =
            std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
            static_cast<float>(std::log(static_cast<double>(config.max_distance) / exact)) *
            static_cast<float>(side - exact);
        bucket = std::min(side - 1, exact + static_cast<int>(scaled));
      }
      ids.push_back(bucket + (key > query ? side : 0));
    }
  }
  return ids;
}

std::vector<float> text_mask(std::span<const std::int32_t> ids, int eos_id) {
  constexpr float kMasked = -10000.0F;
  std::vector<float> mask(ids.size(), kMasked);
  const auto end = std::find(ids.begin(), ids.end(), eos_id);
  const auto kept = end == ids.end() ? ids.size() : static_cast<std::size_t>(end - ids.begin()) + 1;
  std::fill_n(mask.begin(), kept, 0.0F);
  return mask;
}

}  // namespace mantissa
