#include "engine/models/ernie_image/ernie_image.h"

#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr Projections::Run kErnieImageQkv{0, 3}, kErnieImageUpAndGate{0, 2};
/// Shift, scale and gate of attention, then of the feed-forward.
constexpr int kErnieImageModulation = 6;

Projections ernie_image_projections(const Scope& scope, std::initializer_list<const char*> names,
                                    std::int64_t in, std::int64_t out) {
  std::vector<Linear> layers;
  for (const char* name : names) {
    layers.emplace_back(scope / name, in, out, /*bias=*/false);
  }
  return {scope, std::move(layers), {Projections::Run{0, static_cast<int>(names.size())}}};
}

/// x [1, m, c] for every sample.
Value for_each_sample(Value x, std::int64_t batch) {
  if (batch == 1) {
    return x;
  }
  const Shape s = x.shape();
  const Value zero = constant(x.graph(), x.dtype(), {batch, s[1] * s[2]}, 0.0F);
  return reshape(add_per_sample(zero, reshape(x, {1, s[1] * s[2]})), {batch, s[1], s[2]});
}

std::vector<RotaryAxis> ernie_image_axes(const ErnieImageConfig& c) {
  std::vector<RotaryAxis> axes;
  for (const int channels : c.axes_dims) {
    axes.push_back({.width = channels, .theta = c.rope_theta});
  }
  return axes;
}

/// Each value twice: the model was trained with neighbours' angles but halves' partners.
std::vector<float> twice(const std::vector<float>& values) {
  std::vector<float> result;
  for (const float value : values) {
    result.insert(result.end(), 2, value);
  }
  return result;
}

}  // namespace

ErnieImageTransformer::Layer::Layer(const ErnieImageConfig& c, const Scope& scope)
    : path(scope.path()),
      norm1(scope / "adaLN_sa_ln", c.width, c.norm_eps),
      norm2(scope / "adaLN_mlp_ln", c.width, c.norm_eps),
      qkv(ernie_image_projections(scope / "self_attention", {"to_q", "to_k", "to_v"}, c.width,
                                  c.width)),
      norm_q(scope / "self_attention.norm_q", c.head_dim(), c.norm_eps),
      norm_k(scope / "self_attention.norm_k", c.head_dim(), c.norm_eps),
      out(scope / "self_attention.to_out.0", c.width, c.width, /*bias=*/false),
      up_and_gate(
          ernie_image_projections(scope / "mlp", {"up_proj", "gate_proj"}, c.width, c.hidden)),
      down(scope / "mlp.linear_fc2", c.hidden, c.width, /*bias=*/false) {}

ErnieImageTransformer::ErnieImageTransformer(const ErnieImageConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(Conv2d::pointwise(scope / "x_embedder.proj", c.in_channels, c.width)),
      time_(scope / "time_embedding", c.width, c.width),
      modulation_(scope / "adaLN_modulation.1", c.width,
                  std::int64_t{kErnieImageModulation} * c.width),
      exit_modulation_(scope / "final_norm.linear", c.width, std::int64_t{2} * c.width),
      exit_(scope / "final_linear", c.width, c.in_channels) {
  if (c.context_channels != c.width) {
    text_entry_.emplace(scope / "text_proj", c.context_channels, c.width, /*bias=*/false);
  }
  for (int i = 0; i < c.layers; ++i) {
    layers_.emplace_back(c, scope / "layers" / i);
  }
}

void ErnieImageTransformer::check_inputs(Value latents, const ErnieImageInputs& inputs) const {
  const Shape text = inputs.text.shape();
  check_transformer_inputs("ernie_image", latents, inputs.text, config_.in_channels,
                           config_.context_channels);
  check_op(inputs.keys.shape() == (Shape{text[0], text[1]}), "ernie_image", inputs.keys,
           [&] { return "the mask must be [batch, tokens]; got " + describe(inputs.keys); });
}

/// A table [1, tokens, head_dim] for every sample, with the image's own place [b, 1, channels of
/// the first axis] in it.
Value ErnieImageTransformer::placed(Value table, Value place, std::int64_t patches) const {
  const std::int64_t batch = place.shape()[0], channels = place.shape()[2];
  const std::int64_t tokens = table.shape()[1] - patches, others = table.shape()[2] - channels;
  const Value zero = constant(table.graph(), table.dtype(), {batch, patches, channels}, 0.0F);
  const Value first = add_per_sample(zero, reshape(place, {batch, channels}));
  const Value grid = slice_channels(take_tokens(table, 0, patches), channels, others);
  return join_tokens(concat_channels(first, for_each_sample(grid, batch)),
                     for_each_sample(take_tokens(table, patches, tokens), batch));
}

ErnieImageTransformer::Sequence ErnieImageTransformer::sequence(Graph& graph,
                                                                const ErnieImageInputs& inputs,
                                                                std::int64_t patches) const {
  graph.set_path(path_);
  const Value place = cast(inputs.place, statistics_);
  const Value keys = cast(inputs.keys, statistics_);
  const Value image = constant(graph, statistics_, {keys.shape()[0], patches}, 0.0F);
  return {placed(cast(inputs.cos, statistics_), take_tokens(place, 0, 1), patches),
          placed(cast(inputs.sin, statistics_), take_tokens(place, 1, 1), patches),
          concat_channels(image, keys)};
}

Value ErnieImageTransformer::condition(Graph& graph, Value timesteps) const {
  graph.set_path(path_ + ".time_embedding");
  const std::int64_t half = config_.width / 2;
  const Value waves = timestep_embedding(timesteps, config_.width, activations_);
  // The model reads sines first.
  return time_(concat_channels(slice_channels(waves, half, half), slice_channels(waves, 0, half)));
}

Value ErnieImageTransformer::attend(const Layer& layer, Value x, const Sequence& sequence) const {
  const std::vector<Value> qkv = layer.qkv(x, kErnieImageQkv);  // [b, tokens, width] each
  const Value q = layer.norm_q.of_heads(packed(qkv[0])), k = layer.norm_k.of_heads(packed(qkv[1]));
  x.graph().set_path(layer.path + ".self_attention");
  const RopeOptions turn{.heads = config_.heads, .pairs = RopePairs::halves};
  AttentionOptions options;
  options.heads = config_.heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim())));
  return layer.out(attention(rope(q, sequence.cos, sequence.sin, turn),
                             rope(k, sequence.cos, sequence.sin, turn), qkv[2], options,
                             {{}, sequence.keys}));
}

Value ErnieImageTransformer::run_layer(const Layer& layer, Value x, const Sequence& sequence,
                                       const std::vector<Value>& m) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  const auto normed = [&](const RmsNorm& norm, Value shift, Value scale) {
    const Value n = norm(x);
    graph.set_path(layer.path);
    return modulate(n, scale, shift);
  };
  const auto gated = [&](Value y, Value gate) {
    graph.set_path(layer.path);
    return gated_add(x, y, gate);
  };
  x = gated(attend(layer, normed(layer.norm1, m[0], m[1]), sequence), m[2]);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const std::vector<Value> both =
      layer.up_and_gate(normed(layer.norm2, m[3], m[4]), kErnieImageUpAndGate);
  graph.set_path(layer.path + ".mlp");
  return gated(layer.down(geglu(both[0], both[1])), m[5]);
}

Value ErnieImageTransformer::exit(Value image, Value condition) const {
  Graph& graph = image.graph();
  graph.set_path(path_ + ".final_norm");
  const std::vector<Value> m = split_channels(exit_modulation_(condition), 2);
  graph.set_path(path_ + ".final_norm");
  const Value normed = layer_norm(image, {}, {}, static_cast<float>(config_.norm_eps));
  return exit_(modulate(normed, m[0], m[1]));  // scale, then shift
}

Value ErnieImageTransformer::forward(Graph& graph, Value latents,
                                     const ErnieImageInputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Shape s = latents.shape();
  const std::int64_t patches = s[1] * s[2];
  const Sequence all = sequence(graph, inputs, patches);
  const Value c = condition(graph, inputs.timesteps);
  graph.set_path(path_);
  const std::vector<Value> m = split_channels(modulation_(silu(c)), kErnieImageModulation);
  graph.set_path(path_);
  Value text = cast(inputs.text, activations_);
  if (text_entry_) {
    text = (*text_entry_)(text);
  }
  const Value image = reshape(entry_(cast(latents, activations_)), {s[0], patches, config_.width});
  graph.set_path(path_);
  Value x = join_tokens(image, text);
  for (const Layer& layer : layers_) {
    x = run_layer(layer, x, all, m);
  }
  graph.set_path(path_);
  const Value out = exit(take_tokens(x, 0, patches), c);
  graph.set_path(path_);
  return cast(reshape(out, s), latents.dtype());
}

RotaryTables ernie_image_positions(std::int64_t tokens, std::int64_t height, std::int64_t width,
                                   const ErnieImageConfig& config) {
  std::vector<double> positions;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      positions.insert(positions.end(), {0, static_cast<double>(y), static_cast<double>(x)});
    }
  }
  for (std::int64_t l = 0; l < tokens; ++l) {
    positions.insert(positions.end(), {static_cast<double>(l), 0, 0});
  }
  RotaryTables tables = rotary_tables(ernie_image_axes(config), positions);
  tables.cos = twice(tables.cos);
  tables.sin = twice(tables.sin);
  return tables;
}

std::vector<float> ernie_image_place(std::int64_t length, const ErnieImageConfig& config) {
  const RotaryAxis axis = ernie_image_axes(config).front();
  const double position = static_cast<double>(length);
  const RotaryTables tables = rotary_tables({&axis, 1}, {&position, 1});
  std::vector<float> place = twice(tables.cos);
  const std::vector<float> sines = twice(tables.sin);
  place.insert(place.end(), sines.begin(), sines.end());
  return place;
}

}  // namespace mantissa
