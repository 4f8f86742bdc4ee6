#include "engine/models/krea2/krea2.h"

#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr Projections::Run kKrea2Both{0, 2};

RmsNorm krea2_norm(const Krea2Config& c, const Scope& scope, std::int64_t width) {
  return {scope, width, c.norm_eps, RmsWeight::offset};
}

/// Two layers of one size that read the same input.
Projections krea2_pair(const Scope& scope, const char* first, const char* second, std::int64_t in,
                       std::int64_t out) {
  std::vector<Linear> layers;
  layers.emplace_back(scope / first, in, out, /*bias=*/false);
  layers.emplace_back(scope / second, in, out, /*bias=*/false);
  return {scope, std::move(layers), {kKrea2Both}};
}

Value krea2_gelu(Value x) {
  return unary(Unary::gelu_tanh, x);
}

}  // namespace

Krea2Transformer::Layer::Layer(const Krea2Config& c, const Scope& scope, const Widths& w)
    : path(scope.path()),
      heads(w.heads),
      key_heads(w.key_heads),
      norm1(krea2_norm(c, scope / "norm1", w.width)),
      norm2(krea2_norm(c, scope / "norm2", w.width)),
      norm_q(krea2_norm(c, scope / "attn.norm_q", w.width / w.heads)),
      norm_k(krea2_norm(c, scope / "attn.norm_k", w.width / w.heads)),
      query_gate(krea2_pair(scope / "attn", "to_q", "to_gate", w.width, w.width)),
      key_value(krea2_pair(scope / "attn", "to_k", "to_v", w.width,
                           std::int64_t{w.key_heads} * (w.width / w.heads))),
      out(scope / "attn.to_out.0", w.width, w.width, /*bias=*/false),
      gate_up(krea2_pair(scope / "ff", "gate", "up", w.width, w.hidden)),
      down(scope / "ff.down", w.hidden, w.width, /*bias=*/false) {}

Value Krea2Transformer::Layer::attend(Value x, const Rotation& rotation, Value keys) const {
  Graph& graph = x.graph();
  const std::vector<Value> qg = query_gate(x, kKrea2Both), kv = key_value(x, kKrea2Both);
  Value q = norm_q.of_heads(packed(qg[0])), k = norm_k.of_heads(packed(kv[0]));
  graph.set_path(path + ".attn");
  if (rotation.cos) {
    q = rope(q, rotation.cos, rotation.sin, {.heads = heads});
    k = rope(k, rotation.cos, rotation.sin, {.heads = key_heads});
  }
  AttentionOptions options;
  options.heads = heads;
  options.kv_heads = key_heads;
  const auto head = static_cast<double>(q.shape()[2]) / heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(head));
  const Value attended = attention(q, k, kv[1], options, {.keys = keys});
  return out(glu(Unary::sigmoid, qg[1], attended));
}

Value Krea2Transformer::Layer::feed_forward(Value x) const {
  const std::vector<Value> both = gate_up(x, kKrea2Both);
  x.graph().set_path(path + ".ff");
  return down(swiglu(both[0], both[1]));
}

Krea2Transformer::Block::Block(const Krea2Config& c, const Scope& scope)
    : layer(c, scope, {c.width(), c.heads, c.key_heads, c.hidden}),
      table(&scope.weight("scale_shift_table", {6, c.width()}, ModuleKind::vector)) {}

Krea2Transformer::Krea2Transformer(const Krea2Config& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(scope / "img_in", c.in_channels, c.width()),
      time1_(scope / "time_embed.linear_1", c.time_channels, c.width()),
      time2_(scope / "time_embed.linear_2", c.width(), c.width()),
      time_modulation_(scope / "time_mod_proj", c.width(), std::int64_t{6} * c.width()),
      projector_(scope / "text_fusion.projector", c.text_layers, 1, /*bias=*/false),
      text_norm_(krea2_norm(c, scope / "txt_in.norm", c.text_channels)),
      text1_(scope / "txt_in.linear_1", c.text_channels, c.width()),
      text2_(scope / "txt_in.linear_2", c.width(), c.width()),
      exit_table_(
          &(scope / "final_layer").weight("scale_shift_table", {2, c.width()}, ModuleKind::vector)),
      exit_norm_(krea2_norm(c, scope / "final_layer.norm", c.width())),
      exit_(scope / "final_layer.linear", c.width(), c.in_channels) {
  const Widths text{c.text_channels, c.text_heads, c.text_key_heads, c.text_hidden};
  for (int i = 0; i < c.layerwise_blocks; ++i) {
    layerwise_.emplace_back(c, scope / "text_fusion.layerwise_blocks" / i, text);
  }
  for (int i = 0; i < c.refiner_blocks; ++i) {
    refiner_.emplace_back(c, scope / "text_fusion.refiner_blocks" / i, text);
  }
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c, scope / "transformer_blocks" / i);
  }
}

/// Time 0 is a row of its own behind those of the images, so that each layer runs once.
Krea2Transformer::Time Krea2Transformer::time(Graph& graph, Value timesteps, bool still) const {
  const std::int64_t batch = timesteps.shape()[0];
  graph.set_path(path_ + ".time_embed");
  if (still) {
    timesteps = reshape(concat_channels(reshape(timesteps, {1, batch}),
                                        constant(graph, timesteps.dtype(), {1, 1}, 0.0F)),
                        {batch + 1});
  }
  const Value hidden = time1_(timestep_embedding(timesteps, config_.time_channels, activations_));
  graph.set_path(path_ + ".time_embed");
  const Value each = time2_(krea2_gelu(hidden));
  graph.set_path(path_ + ".time_mod_proj");
  const Value blocks = time_modulation_(krea2_gelu(each));
  if (!still) {
    return {each, blocks, {}};
  }
  graph.set_path(path_ + ".time_mod_proj");
  return {take_rows(each, 0, batch), take_rows(blocks, 0, batch), take_rows(blocks, batch, 1)};
}

Value Krea2Transformer::run_fusion(const Layer& layer, Value x, Value keys) const {
  const Segment segment(x.graph());
  const Value attended = layer.attend(layer.norm1(x), {}, keys);
  x.graph().set_path(layer.path);
  x = add(x, attended);
  const Segment feed_forward(x.graph(), SegmentScope::feed_forward);
  const Value fed = layer.feed_forward(layer.norm2(x));
  x.graph().set_path(layer.path);
  return add(x, fed);
}

Value Krea2Transformer::fused_text(Graph& graph, const Krea2Inputs& inputs) const {
  const Shape s = inputs.text.shape();
  const std::int64_t tokens = s[0] * s[1], layers = config_.text_layers;
  const std::int64_t channels = config_.text_channels;
  Value x = reshape(cast(inputs.text, activations_), {tokens, layers, channels});
  for (const Layer& layer : layerwise_) {
    x = run_fusion(layer, x, {});
  }
  graph.set_path(path_ + ".text_fusion");
  const Value by_channel = swap_middle(reshape(x, {tokens, layers, channels, 1}));
  x = reshape(projector_(reshape(by_channel, {tokens, channels, layers})), {s[0], s[1], channels});
  for (const Layer& layer : refiner_) {
    x = run_fusion(layer, x, inputs.keys);
  }
  const Value hidden = text1_(text_norm_(x));
  graph.set_path(path_ + ".txt_in");
  return text2_(krea2_gelu(hidden));
}

std::vector<Value> Krea2Transformer::modulation(const Block& block, Value time) const {
  const Value table = reshape(read_tensor(time.graph(), *block.table, time.dtype()),
                              {1, std::int64_t{6} * config_.width()});
  return split_channels(add_per_sample(time, table), 6);
}

Krea2Transformer::Streams Krea2Transformer::run_block(const Block& block, Streams x,
                                                      const Time& time,
                                                      const Layer::Rotation& rotation,
                                                      Value keys) const {
  Graph& graph = x.main.graph();
  const Segment segment(graph);
  const Layer& layer = block.layer;
  graph.set_path(layer.path);
  const std::vector<Value> main = modulation(block, time.blocks);
  const std::vector<Value> still =
      x.references ? modulation(block, time.still) : std::vector<Value>();
  const auto normed = [&](const RmsNorm& norm, std::size_t first) {
    const auto modulated = [&](Value part, const std::vector<Value>& m) {
      const Value n = norm(part);
      graph.set_path(layer.path);
      return modulate(n, m[first], m[first + 1]);
    };
    const Value own = modulated(x.main, main);
    return x.references ? join_tokens(own, modulated(x.references, still)) : own;
  };
  const auto add_gated = [&](Value y, std::size_t gate) {
    graph.set_path(layer.path);
    const std::int64_t tokens = x.main.shape()[1];
    if (x.references) {
      const Value of_references = take_tokens(y, tokens, x.references.shape()[1]);
      x.references = gated_add(x.references, of_references, still[gate]);
      y = take_tokens(y, 0, tokens);
    }
    x.main = gated_add(x.main, y, main[gate]);
  };
  add_gated(layer.attend(normed(layer.norm1, 0), rotation, keys), 2);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  add_gated(layer.feed_forward(normed(layer.norm2, 3)), 5);
  return x;
}

Value Krea2Transformer::exit(Value x, const Time& time) const {
  Graph& graph = x.graph();
  graph.set_path(path_ + ".final_layer");
  const std::int64_t width = config_.width();
  const Value table = reshape(read_tensor(graph, *exit_table_, time.each.dtype()), {1, 2 * width});
  const Value scale = add_per_sample(time.each, slice_channels(table, 0, width));
  const Value shift = add_per_sample(time.each, slice_channels(table, width, width));
  const Value n = exit_norm_(x);
  graph.set_path(path_ + ".final_layer");
  return exit_(modulate(n, scale, shift));
}

void Krea2Transformer::check_latents(Value latents) const {
  const Shape s = latents.shape();
  const std::int64_t channels = config_.in_channels / (Krea2Config::kPatch * Krea2Config::kPatch);
  check_op(s.rank() == 4 && s[3] == channels && s[1] % Krea2Config::kPatch == 0 &&
               s[2] % Krea2Config::kPatch == 0,
           "krea2", latents, [&] {
             return "latents must be [batch, height, width, " + std::to_string(channels) +
                    "] with even sides; got " + describe(latents);
           });
}

void Krea2Transformer::check_inputs(Value latents, const Krea2Inputs& inputs) const {
  check_latents(latents);
  const Shape s = latents.shape(), text = inputs.text.shape();
  const std::int64_t width = std::int64_t{config_.text_layers} * config_.text_channels;
  check_op(text.rank() == 3 && text[0] == s[0] && text[2] == width, "krea2", inputs.text, [&] {
    return "text must be [batch, tokens, " + std::to_string(width) + "]; got " +
           describe(inputs.text);
  });
  for (const Value reference : inputs.references) {
    check_latents(reference);
    check_op(reference.shape()[0] == s[0], "krea2", reference,
             [&] { return "references must be as many as latents; got " + describe(reference); });
  }
}

Value Krea2Transformer::patches_of(Value latents) const {
  const Value grid = to_patches(cast(latents, activations_), Krea2Config::kPatch);
  const Shape g = grid.shape();
  return reshape(grid, {g[0], g[1] * g[2], g[3]});
}

Value Krea2Transformer::forward(Graph& graph, Value latents, const Krea2Inputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Shape s = latents.shape();
  const Time t = time(graph, inputs.timesteps, !inputs.references.empty());
  const Value text = fused_text(graph, inputs);
  graph.set_path(path_);
  Value images = patches_of(latents);
  const std::int64_t tokens = text.shape()[1], patches = images.shape()[1];
  for (const Value reference : inputs.references) {
    images = join_tokens(images, patches_of(reference));
  }
  const std::int64_t all = images.shape()[1];
  const Value entered = entry_(images);
  graph.set_path(path_);
  const Layer::Rotation rotation{cast(inputs.cos, statistics_), cast(inputs.sin, statistics_)};
  const Value keys =
      concat_channels(inputs.keys, constant(graph, inputs.keys.dtype(), {s[0], all}, 0.0F));
  Streams x{join_tokens(text, entered), {}};
  if (all > patches) {
    x = {join_tokens(text, take_tokens(entered, 0, patches)),
         take_tokens(entered, patches, all - patches)};
  }
  for (const Block& block : blocks_) {
    x = run_block(block, x, t, rotation, keys);
  }
  graph.set_path(path_);
  const Value out = exit(take_tokens(x.main, tokens, patches), t);
  graph.set_path(path_);
  const std::int64_t side = Krea2Config::kPatch;
  const Shape grid{s[0], s[1] / side, s[2] / side, config_.in_channels};
  return cast(from_patches(reshape(out, grid), side), latents.dtype());
}

RotaryTables krea2_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Krea2Config& c) {
  std::vector<RotaryAxis> axes;
  for (const int channels : c.axes_dims) {
    axes.push_back({.width = channels, .theta = c.rope_theta});
  }
  std::vector<double> positions(static_cast<std::size_t>(3 * tokens), 0.0);
  const auto add = [&](LatentSize size, std::size_t frame) {
    for (std::int64_t y = 0; y < size.height / Krea2Config::kPatch; ++y) {
      for (std::int64_t x = 0; x < size.width / Krea2Config::kPatch; ++x) {
        positions.insert(positions.end(), {static_cast<double>(frame), static_cast<double>(y),
                                           static_cast<double>(x)});
      }
    }
  };
  add(image, 0);
  for (std::size_t i = 0; i < references.size(); ++i) {
    add(references[i], i + 1);
  }
  return rotary_tables(axes, positions);
}

}  // namespace mantissa
