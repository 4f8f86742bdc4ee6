#include "engine/models/flux2/flux2.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// The reference multiplies guidance, like its timesteps in [0, 1], by this.
constexpr float kGuidanceUnit = 1000.0F;

Linear flux2_linear(const Scope& scope, std::int64_t in, std::int64_t out) {
  return {scope, in, out, /*bias=*/false};
}

}  // namespace

const Flux2Transformer::StreamNames Flux2Transformer::kImageNames{
    {"to_q", "to_k", "to_v"}, "norm_q", "norm_k", "to_out.0", "ff"};
const Flux2Transformer::StreamNames Flux2Transformer::kTextNames{
    {"add_q_proj", "add_k_proj", "add_v_proj"},
    "norm_added_q",
    "norm_added_k",
    "to_add_out",
    "ff_context"};

Flux2Transformer::Stream::Stream(const Flux2Config& c, const Scope& scope, const StreamNames& names)
    : qkv(scope / "attn",
          {flux2_linear(scope / "attn" / names.qkv[0], c.width(), c.width()),
           flux2_linear(scope / "attn" / names.qkv[1], c.width(), c.width()),
           flux2_linear(scope / "attn" / names.qkv[2], c.width(), c.width())},
          {Projections::Run{0, 3}}),
      norm_q(scope / "attn" / names.norm_q, c.head_dim, c.norm_eps),
      norm_k(scope / "attn" / names.norm_k, c.head_dim, c.norm_eps),
      out(flux2_linear(scope / "attn" / names.out, c.width(), c.width())),
      feed_in(flux2_linear(scope / names.feed_forward / "linear_in", c.width(),
                           std::int64_t{2} * c.hidden())),
      feed_out(flux2_linear(scope / names.feed_forward / "linear_out", c.hidden(), c.width())) {}

Flux2Transformer::DoubleBlock::DoubleBlock(const Flux2Config& c, const Scope& scope)
    : path(scope.path()), image(c, scope, kImageNames), text(c, scope, kTextNames) {}

Flux2Transformer::SingleBlock::SingleBlock(const Flux2Config& c, const Scope& scope)
    : path(scope.path()),
      in(flux2_linear(scope / "attn.to_qkv_mlp_proj", c.width(),
                      std::int64_t{3} * c.width() + std::int64_t{2} * c.hidden())),
      norm_q(scope / "attn.norm_q", c.head_dim, c.norm_eps),
      norm_k(scope / "attn.norm_k", c.head_dim, c.norm_eps),
      out(flux2_linear(scope / "attn.to_out", c.width() + c.hidden(), c.width())) {}

Flux2Transformer::Flux2Transformer(const Flux2Config& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(flux2_linear(scope / "x_embedder", c.in_channels, c.width())),
      text_entry_(flux2_linear(scope / "context_embedder", c.context_channels, c.width())),
      time_(scope / "time_guidance_embed.timestep_embedder", c.time_channels, c.width(),
            /*bias=*/false),
      image_modulation_(flux2_linear(scope / "double_stream_modulation_img.linear", c.width(),
                                     std::int64_t{6} * c.width())),
      text_modulation_(flux2_linear(scope / "double_stream_modulation_txt.linear", c.width(),
                                    std::int64_t{6} * c.width())),
      single_modulation_(flux2_linear(scope / "single_stream_modulation.linear", c.width(),
                                      std::int64_t{3} * c.width())),
      exit_modulation_(
          flux2_linear(scope / "norm_out.linear", c.width(), std::int64_t{2} * c.width())),
      exit_(flux2_linear(scope / "proj_out", c.width(), c.in_channels)) {
  if (c.guidance) {
    guidance_.emplace(scope / "time_guidance_embed.guidance_embedder", c.time_channels, c.width(),
                      /*bias=*/false);
  }
  for (int i = 0; i < c.double_blocks; ++i) {
    double_blocks_.emplace_back(c, scope / "transformer_blocks" / i);
  }
  for (int i = 0; i < c.single_blocks; ++i) {
    single_blocks_.emplace_back(c, scope / "single_transformer_blocks" / i);
  }
}

Value Flux2Transformer::condition(Graph& graph, const Flux2Inputs& inputs) const {
  graph.set_path(path_ + ".time_guidance_embed");
  const Value time =
      time_(timestep_embedding(inputs.timesteps, config_.time_channels, activations_));
  if (!guidance_) {
    return time;
  }
  graph.set_path(path_ + ".time_guidance_embed");
  const Value scaled = scale(inputs.guidance, kGuidanceUnit);
  return add(time, (*guidance_)(timestep_embedding(scaled, config_.time_channels, activations_)));
}

Flux2Transformer::Modulations Flux2Transformer::modulations(Value condition) const {
  condition.graph().set_path(path_);
  const Value active = silu(condition);
  return {split_channels(image_modulation_(active), 6), split_channels(text_modulation_(active), 6),
          split_channels(single_modulation_(active), 3)};
}

/// LayerNorm without affine, then m[first] and m[first + 1]: shift and scale.
Value Flux2Transformer::normed(Value x, const Modulation& m, std::size_t first) const {
  return modulate(layer_norm(x, {}, {}, static_cast<float>(config_.norm_eps)), m[first + 1],
                  m[first]);
}

Value Flux2Transformer::attend(const Heads& heads, const Flux2Inputs& inputs) const {
  const RopeOptions turn{.heads = config_.heads};
  AttentionOptions options;
  options.heads = config_.heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim)));
  return attention(rope(heads.q, inputs.cos, inputs.sin, turn),
                   rope(heads.k, inputs.cos, inputs.sin, turn), heads.v, options);
}

Flux2Transformer::Heads Flux2Transformer::heads_of(const DoubleBlock& block, const Stream& stream,
                                                   Value x, const Modulation& m) const {
  x.graph().set_path(block.path);
  const std::vector<Value> qkv = stream.qkv(normed(x, m, 0), {0, 3});
  return {stream.norm_q.of_heads(packed(qkv[0])), stream.norm_k.of_heads(packed(qkv[1])),
          packed(qkv[2])};
}

/// A stream's residuals: what attention gave it, then its feed-forward.
Value Flux2Transformer::leave(const DoubleBlock& block, const Stream& stream, Value x,
                              Value attended, const Modulation& m) const {
  Graph& graph = x.graph();
  const auto gated = [&](Value y, Value gate) {
    graph.set_path(block.path);
    return gated_add(x, y, gate);
  };
  x = gated(stream.out(attended), m[2]);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const Value gate_and_value = stream.feed_in(normed(x, m, 3));
  graph.set_path(block.path);
  return gated(stream.feed_out(swiglu(gate_and_value, GateHalf::first)), m[5]);
}

Flux2Transformer::Pair Flux2Transformer::run_double(const DoubleBlock& block, const Pair& x,
                                                    const Flux2Inputs& inputs,
                                                    const Modulations& m) const {
  Graph& graph = x.image.graph();
  const Segment segment(graph);
  const Heads text = heads_of(block, block.text, x.text, m.text);
  const Heads image = heads_of(block, block.image, x.image, m.image);
  graph.set_path(block.path + ".attn");
  const Value attended = attend(
      {join_tokens(text.q, image.q), join_tokens(text.k, image.k), join_tokens(text.v, image.v)},
      inputs);
  const std::int64_t tokens = x.text.shape()[1], patches = x.image.shape()[1];
  const Value to_text = take_tokens(attended, 0, tokens);
  const Value to_image = take_tokens(attended, tokens, patches);
  return {leave(block, block.image, x.image, to_image, m.image),
          leave(block, block.text, x.text, to_text, m.text)};
}

Value Flux2Transformer::run_single(const SingleBlock& block, Value x, const Flux2Inputs& inputs,
                                   const Modulation& m) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  graph.set_path(block.path);
  const std::int64_t width = config_.width(), hidden = config_.hidden();
  const Value all = block.in(normed(x, m, 0));
  // q, k, v, then gate and value of the feed-forward.
  const std::vector<Value> parts = split_channels(all, {width, width, width, hidden, hidden});
  const Value q = block.norm_q.of_heads(packed(parts[0]));
  const Value k = block.norm_k.of_heads(packed(parts[1]));
  graph.set_path(block.path + ".attn");
  const Value attended = attend({q, k, parts[2]}, inputs);
  const Value out = block.out(join_channels({attended, swiglu(parts[3], parts[4])}));
  graph.set_path(block.path);
  return gated_add(x, out, m[2]);
}

Value Flux2Transformer::exit(Value x, Value condition) const {
  Graph& graph = x.graph();
  graph.set_path(path_ + ".norm_out");
  const std::vector<Value> m = split_channels(exit_modulation_(silu(condition)), 2);
  graph.set_path(path_ + ".norm_out");
  return exit_(modulate(layer_norm(x, {}, {}, static_cast<float>(config_.norm_eps)), m[0], m[1]));
}

void Flux2Transformer::check_inputs(Value latents, const Flux2Inputs& inputs) const {
  check_transformer_inputs("flux2", latents, inputs.text, config_.in_channels,
                           config_.context_channels);
  check_op(static_cast<bool>(inputs.guidance) == config_.guidance, "flux2", latents,
           config_.guidance ? "the model takes a guidance scale" : "the model takes no guidance");
}

Value Flux2Transformer::embedded(Value latents, const std::vector<Value>& references) const {
  const auto tokens = [&](Value image) {
    const Shape s = image.shape();
    return reshape(cast(image, activations_), {s[0], s[1] * s[2], s[3]});
  };
  Value all = tokens(latents);
  for (const Value reference : references) {
    all = join_tokens(all, tokens(reference));
  }
  return entry_(all);
}

Value Flux2Transformer::forward(Graph& graph, Value latents, const Flux2Inputs& given) const {
  graph.set_path(path_);
  check_inputs(latents, given);
  Flux2Inputs inputs = given;
  inputs.cos = cast(given.cos, statistics_);
  inputs.sin = cast(given.sin, statistics_);
  const Shape s = latents.shape();
  const std::int64_t patches = s[1] * s[2], tokens = inputs.text.shape()[1];
  const Value c = condition(graph, inputs);
  const Modulations m = modulations(c);
  graph.set_path(path_);
  Pair streams{embedded(latents, inputs.references), text_entry_(cast(inputs.text, activations_))};
  for (const DoubleBlock& block : double_blocks_) {
    streams = run_double(block, streams, inputs, m);
  }
  graph.set_path(path_);
  Value x = join_tokens(streams.text, streams.image);
  for (const SingleBlock& block : single_blocks_) {
    x = run_single(block, x, inputs, m.both);
  }
  graph.set_path(path_);
  const Value out = exit(take_tokens(x, tokens, patches), c);
  graph.set_path(path_);
  return cast(reshape(out, s), latents.dtype());
}

RotaryTables flux2_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Flux2Config& config) {
  constexpr std::int64_t kBetweenImages = 10;
  std::vector<RotaryAxis> axes;
  for (const int channels : config.axes_dims) {
    axes.push_back({.width = channels, .theta = config.rope_theta});
  }
  std::vector<double> positions;
  for (std::int64_t l = 0; l < tokens; ++l) {
    positions.insert(positions.end(), {0, 0, 0, static_cast<double>(l)});
  }
  std::int64_t place = 0;
  const auto add_image = [&](const LatentSize& size) {
    for (std::int64_t y = 0; y < size.height; ++y) {
      for (std::int64_t x = 0; x < size.width; ++x) {
        positions.insert(positions.end(), {static_cast<double>(place), static_cast<double>(y),
                                           static_cast<double>(x), 0});
      }
    }
    place += kBetweenImages;
  };
  add_image(image);
  std::ranges::for_each(references, add_image);
  return rotary_tables(axes, positions);
}

}  // namespace mantissa
