#include "engine/models/qwen3/qwen3.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr Projections::Run kBoth{0, 2};

/// They read the same input, and SwiGLU takes their joint result as it is.
Projections gate_and_up(const Qwen3Config& config, const Scope& scope) {
  std::vector<Linear> layers;
  layers.emplace_back(scope / "gate_proj", config.hidden, config.intermediate, false);
  layers.emplace_back(scope / "up_proj", config.hidden, config.intermediate, false);
  return {scope, std::move(layers), {kBoth}};
}

std::int64_t query_width(const Qwen3Config& config) {
  return std::int64_t{config.heads} * config.head_dim;
}
std::int64_t key_width(const Qwen3Config& config) {
  return std::int64_t{config.key_heads} * config.head_dim;
}

std::optional<RmsNorm> head_norm(const Qwen3Config& config, const Scope& scope) {
  return config.biases || config.plain
             ? std::nullopt
             : std::optional<RmsNorm>(std::in_place, scope, config.head_dim, config.norm_eps);
}

}  // namespace

Qwen3Text::Layer::Layer(const Qwen3Config& config, const Scope& scope)
    : norm1(scope / "input_layernorm", config.hidden, config.norm_eps),
      norm2(scope / "post_attention_layernorm", config.hidden, config.norm_eps),
      q_norm(head_norm(config, scope / "self_attn.q_norm")),
      k_norm(head_norm(config, scope / "self_attn.k_norm")),
      q(scope / "self_attn.q_proj", config.hidden, query_width(config), config.biases),
      k(scope / "self_attn.k_proj", config.hidden, key_width(config), config.biases),
      v(scope / "self_attn.v_proj", config.hidden, key_width(config), config.biases),
      o(scope / "self_attn.o_proj", query_width(config), config.hidden, false),
      gate_up(gate_and_up(config, scope / "mlp")),
      down(scope / "mlp.down_proj", config.intermediate, config.hidden, false),
      attention_path((scope / "self_attn").path()) {}

Qwen3Text::Qwen3Text(const Qwen3Config& config, const Scope& scope, std::vector<int> states,
                     LastState last_state)
    : config_(config),
      states_(std::move(states)),
      activations_(scope.activations()),
      stream_(scope.border()),
      tokens_(scope / "model.embed_tokens", config.vocab, config.hidden) {
  int last = 0;
  for (const int state : states_) {
    if (state < 0 || state > config.layers) {
      throw Error(message<"{path}: hidden state {state} is needed, but the text encoder has "
                          "{layers} layers; use the text encoder of this model">(
          scope.path(), state, config.layers));
    }
    last = std::max(last, state);
  }
  for (int i = 0; i < last; ++i) {
    layers_.emplace_back(config, scope / "model.layers" / i);
  }
  if (last == config.layers && last_state == LastState::normed) {
    final_norm_.emplace(scope / "model.norm", config.hidden, config.norm_eps);
  }
}

Value Qwen3Text::attend(const Layer& layer, Value h, Value residual, const Qwen3Inputs& in,
                        Qwen3Beside& beside) const {
  const auto normed = [](const std::optional<RmsNorm>& norm, Value x) {
    return norm ? norm->of_heads(x) : x;
  };
  const Value q = normed(layer.q_norm, layer.q(h));  // [b, tokens, heads·d]
  const Value k = normed(layer.k_norm, layer.k(h));  // [b, tokens, key heads·d]
  Value v = layer.v(h);
  h.graph().set_path(layer.attention_path);
  const auto rotated = [&](Value x, int heads) {
    return rope(x, in.cos, in.sin, {.heads = heads, .pairs = RopePairs::halves});
  };
  Value keys = rotated(k, config_.key_heads);
  const std::size_t index = beside.own.size();
  beside.own.push_back({keys, v});
  const bool continued = index < beside.before.size();
  if (continued) {
    keys = join_tokens(beside.before[index].keys, keys);
    v = join_tokens(beside.before[index].values, v);
  }
  const AttentionOptions options{
      .heads = config_.heads,
      .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim))),
      .causal = !continued,
      .kv_heads = config_.key_heads};
  const Value mixed = attention(rotated(q, config_.heads), keys, v, options, {.keys = in.keys});
  return layer.o(mixed, residual);  // the stream's dtype
}

Value Qwen3Text::run_layer(const Layer& layer, Value x, const Qwen3Inputs& in,
                           Qwen3Beside& beside) const {
  const Segment segment(x.graph());
  x = attend(layer, cast(layer.norm1(x), activations_), x, in, beside);
  const Segment feed_forward(x.graph(), SegmentScope::feed_forward);
  const std::vector<Value> h = layer.gate_up(cast(layer.norm2(x), activations_), kBoth);
  return layer.down(swiglu(h[0], h[1]), x);
}

Value Qwen3Text::embed(Value ids) const {
  return cast(tokens_(ids), stream_);
}

Value Qwen3Text::forward(Graph&, const Qwen3Inputs& in) const {
  return forward(embed(in.ids), in);
}

Value Qwen3Text::forward(Value x, const Qwen3Inputs& in, Qwen3Beside* given) const {
  Qwen3Beside none;
  Qwen3Beside& beside = given != nullptr ? *given : none;
  std::vector<Value> all{x};  // hidden states, by number
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    x = run_layer(layers_[i], x, in, beside);
    if (i < beside.added.size()) {
      x = add(x, beside.added[i]);
    }
    all.push_back(x);
  }
  if (final_norm_) {
    all.back() = (*final_norm_)(x);
  }
  Value joint;
  for (const int state : states_) {
    const Value next = all[static_cast<std::size_t>(state)];
    joint = joint ? concat_channels(joint, next) : next;
  }
  return joint;
}

Value zero_padding(Value hidden, Value real) {
  const Shape shape = hidden.shape();  // [b, tokens, width]
  const std::int64_t width = shape.cols(), rows = shape.count() / width;
  const Value ones = constant(hidden.graph(), hidden.dtype(), {1, width}, 1.0F);
  return multiply(hidden, reshape(matmul(reshape(real, {rows, 1}), ones, {}), shape));
}

}  // namespace mantissa
