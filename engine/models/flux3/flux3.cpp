#include "engine/models/flux3/flux3.h"

#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// The model was trained with rows and columns scaled by this.
constexpr double kFlux3Step = 0.5;
constexpr Projections::Run kFlux3Qkv{0, 3};

Linear flux3_linear(const Scope& scope, std::int64_t in, std::int64_t out) {
  return {scope, in, out, /*bias=*/false};
}

Projections flux3_qkv(const Scope& scope, std::int64_t width) {
  std::vector<Linear> layers;
  for (const char* name : {"to_q", "to_k", "to_v"}) {
    layers.push_back(flux3_linear(scope / name, width, width));
  }
  return {scope, std::move(layers), {kFlux3Qkv}};
}

}  // namespace

Flux3Transformer::Block::Block(const Flux3Config& c, const Scope& scope)
    : path(scope.path()),
      qkv(flux3_qkv(scope / "attn", c.width())),
      norm_q(scope / "attn.norm_q", c.head_dim, c.norm_eps),
      norm_k(scope / "attn.norm_k", c.head_dim, c.norm_eps),
      out(flux3_linear(scope / "attn.to_out.0", c.width(), c.width())),
      feed_in(flux3_linear(scope / "ff.linear_in", c.width(), std::int64_t{2} * c.hidden())),
      feed_out(flux3_linear(scope / "ff.linear_out", c.hidden(), c.width())) {}

Flux3Transformer::Mode::Mode(const Flux3Config& c, const Scope& scope, const std::string& name,
                             const std::string& entry_name, const std::string& stack,
                             std::int64_t channels)
    : entry(flux3_linear(scope / entry_name, channels, c.width())),
      early(flux3_linear(scope / "early_stream_modulations" / name / "linear", c.width(),
                         std::int64_t{3} * c.width())),
      late(flux3_linear(scope / "single_stream_modulations" / name / "linear", c.width(),
                        std::int64_t{3} * c.width())) {
  for (int i = 0; i < c.mode_blocks; ++i) {
    blocks.emplace_back(c, scope / stack / i);
  }
}

Flux3Transformer::Flux3Transformer(const Flux3Config& c, const Scope& scope,
                                   Flux3References references)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      time_(scope / "timestep_embedder", c.time_channels, c.width(), /*bias=*/false),
      text_(c, scope, "txt", "context_embedder", "txt_mode_blocks", c.context_channels),
      image_(c, scope, "image", "x_embedders.image", "mode_blocks.image", c.in_channels),
      exit_modulation_(
          flux3_linear(scope / "norm_out.linear", c.width(), std::int64_t{2} * c.width())),
      exit_(flux3_linear(scope / "proj_out", c.width(), c.in_channels)) {
  if (c.flow_map) {
    target_.emplace(scope / "target_timestep_embedder", c.time_channels, c.width(),
                    /*bias=*/false);
  }
  if (references == Flux3References::given) {
    references_.emplace(c, scope, "image_cond", "x_embedders.image_cond", "mode_blocks.image_cond",
                        c.reference_channels);
  }
  for (int i = 0; i < c.single_blocks; ++i) {
    single_blocks_.emplace_back(c, scope / "single_transformer_blocks" / i);
  }
}

/// [b, width], behind the activation that every modulation reads it through. A flow map adds the
/// image's target time to the time of each mode.
Value Flux3Transformer::times(Value timesteps, Value targets) const {
  Graph& graph = timesteps.graph();
  const auto embedded = [&](const TimestepMlp& mlp, Value t, const char* name) {
    graph.set_path(path_ + name);
    const Value embedding = mlp(timestep_embedding(t, config_.time_channels, activations_));
    graph.set_path(path_ + name);
    return embedding;
  };
  const Value time = embedded(time_, timesteps, ".timestep_embedder");
  if (!target_) {
    return silu(time);
  }
  return silu(add(time, embedded(*target_, targets, ".target_timestep_embedder")));
}

/// LayerNorm without affine, then the modulation's shift and scale.
Value Flux3Transformer::normed(Value x, const std::vector<Value>& modulation) const {
  return modulate(layer_norm(x, {}, {}, static_cast<float>(config_.norm_eps)), modulation[1],
                  modulation[0]);
}

Value Flux3Transformer::attend_and_feed(const Block& block, Value x, const Attended& to) const {
  Graph& graph = x.graph();
  const std::vector<Value> qkv = block.qkv(x, kFlux3Qkv);
  const Value q = block.norm_q.of_heads(packed(qkv[0]));
  const Value k = block.norm_k.of_heads(packed(qkv[1]));
  graph.set_path(block.path + ".attn");
  const RopeOptions turn{.heads = config_.heads};
  AttentionOptions options;
  options.heads = config_.heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim)));
  const Value attended = attention(rope(q, to.cos, to.sin, turn), rope(k, to.cos, to.sin, turn),
                                   packed(qkv[2]), options, {.keys = to.keys});
  const Value out = block.out(attended);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const Value gate_and_value = block.feed_in(x);
  graph.set_path(block.path + ".ff");
  const Value fed = block.feed_out(swiglu(gate_and_value, GateHalf::first));
  graph.set_path(block.path);
  return add(out, fed);
}

Flux3Transformer::Stream Flux3Transformer::run_mode(const Mode& mode, Value tokens, Value time,
                                                    const Attended& to) const {
  Graph& graph = tokens.graph();
  const std::vector<Value> m = split_channels(mode.early(time), 3);
  Value x = mode.entry(cast(tokens, activations_));
  for (const Block& block : mode.blocks) {
    const Segment segment(graph);
    graph.set_path(block.path);
    x = gated_add(x, attend_and_feed(block, normed(x, m), to), m[2]);
  }
  graph.set_path(path_);
  return {x, split_channels(mode.late(time), 3)};
}

void Flux3Transformer::run_single(const Block& block, std::vector<Stream>& streams,
                                  const Attended& to) const {
  Graph& graph = streams.front().x.graph();
  const Segment segment(graph);
  graph.set_path(block.path);
  Value all;
  for (const Stream& stream : streams) {
    const Value x = normed(stream.x, stream.modulation);
    all = all ? join_tokens(all, x) : x;
  }
  const Value out = attend_and_feed(block, all, to);
  std::int64_t begin = 0;
  for (Stream& stream : streams) {
    const std::int64_t tokens = stream.x.shape()[1];
    stream.x = gated_add(stream.x, take_tokens(out, begin, tokens), stream.modulation[2]);
    begin += tokens;
  }
}

Value Flux3Transformer::exit(Value x, Value time) const {
  Graph& graph = x.graph();
  graph.set_path(path_ + ".norm_out");
  const std::vector<Value> m = split_channels(exit_modulation_(time), 2);
  graph.set_path(path_ + ".norm_out");
  return exit_(modulate(layer_norm(x, {}, {}, static_cast<float>(config_.norm_eps)), m[0], m[1]));
}

void Flux3Transformer::check_inputs(Value latents, const Flux3Inputs& inputs) const {
  const Shape s = latents.shape();
  check_transformer_inputs("flux3", latents, inputs.text, config_.in_channels,
                           config_.context_channels);
  check_op(inputs.references.empty() || references_, "flux3", latents,
           "the model was bound without the blocks of reference images");
  for (const Value reference : inputs.references) {
    const Shape r = reference.shape();
    check_op(r.rank() == 4 && r[0] == s[0] && r[3] == config_.reference_channels, "flux3",
             reference, [&] {
               return "references must be [batch, height, width, " +
                      std::to_string(config_.reference_channels) + "]; got " + describe(reference);
             });
  }
}

/// All of them, one after another: they attend to each other.
Value Flux3Transformer::reference_tokens(const std::vector<Value>& references) const {
  Value all;
  for (const Value reference : references) {
    const Shape s = reference.shape();
    const Value tokens = reshape(reference, {s[0], s[1] * s[2], s[3]});
    all = all ? join_tokens(all, tokens) : tokens;
  }
  return all;
}

Value Flux3Transformer::forward(Graph& graph, Value latents, const Flux3Inputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Shape s = latents.shape();
  const std::int64_t patches = s[1] * s[2], tokens = inputs.text.shape()[1];
  const Value cos = cast(inputs.cos, statistics_), sin = cast(inputs.sin, statistics_);
  const auto part = [&](std::int64_t begin, std::int64_t count, Value keys) {
    return Attended{take_tokens(cos, begin, count), take_tokens(sin, begin, count), keys};
  };
  const Value still = constant(graph, inputs.timesteps.dtype(), inputs.timesteps.shape(), 0.0F);
  const Value time = times(inputs.timesteps, inputs.timesteps);
  const Value at_zero = times(still, inputs.timesteps);
  graph.set_path(path_);
  std::vector<Stream> streams{
      run_mode(text_, inputs.text, at_zero, part(0, tokens, inputs.keys)),
      run_mode(image_, reshape(latents, {s[0], patches, s[3]}), time, part(tokens, patches, {}))};
  std::int64_t behind = patches;
  if (const Value references = reference_tokens(inputs.references)) {
    const std::int64_t count = references.shape()[1];
    streams.push_back(
        run_mode(*references_, references, at_zero, part(tokens + patches, count, {})));
    behind += count;
  }
  graph.set_path(path_);
  const Attended all{
      cos, sin,
      concat_channels(inputs.keys, constant(graph, inputs.keys.dtype(), {s[0], behind}, 0.0F))};
  for (const Block& block : single_blocks_) {
    run_single(block, streams, all);
  }
  graph.set_path(path_);
  const Value out = exit(streams[1].x, time);
  graph.set_path(path_);
  return cast(reshape(out, s), latents.dtype());
}

RotaryTables flux3_positions(std::int64_t tokens, LatentSize image,
                             std::span<const LatentSize> references, const Flux3Config& config) {
  std::vector<RotaryAxis> axes;
  for (const int channels : config.axes_dims) {
    axes.push_back({.width = channels, .theta = config.rope_theta});
  }
  std::vector<double> positions;
  for (std::int64_t l = 0; l < tokens; ++l) {
    positions.insert(positions.end(), {0, 0, 0, static_cast<double>(l)});
  }
  const auto add_image = [&](const LatentSize& size, double l) {
    for (std::int64_t y = 0; y < size.height; ++y) {
      for (std::int64_t x = 0; x < size.width; ++x) {
        positions.insert(positions.end(), {0, kFlux3Step * static_cast<double>(y),
                                           kFlux3Step * static_cast<double>(x), l});
      }
    }
  };
  add_image(image, 0);
  for (std::size_t i = 0; i < references.size(); ++i) {
    add_image(references[i], -1 - static_cast<double>(i));
  }
  return rotary_tables(axes, positions);
}

}  // namespace mantissa
