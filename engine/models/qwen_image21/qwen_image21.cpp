#include "engine/models/qwen_image21/qwen_image21.h"

#include <algorithm>
#include <cmath>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

/// Of the timestep's sinusoid.
constexpr std::int64_t kQwenImage21Time = 256;
constexpr Projections::Run kQwenImage21Qkv{0, 3}, kQwenImage21Both{0, 2};

Linear qwen_image21_linear(const Scope& scope, std::int64_t in, std::int64_t out) {
  return {scope, in, out, /*bias=*/false};
}

Projections qwen_image21_qkv(const Scope& scope, std::int64_t width) {
  std::vector<Linear> layers;
  for (const char* name : {"to_q", "to_k", "to_v"}) {
    layers.push_back(qwen_image21_linear(scope / name, width, width));
  }
  return {scope, std::move(layers), {kQwenImage21Qkv}};
}

Projections qwen_image21_gate_up(const Scope& scope, std::int64_t width, std::int64_t hidden) {
  std::vector<Linear> layers;
  for (const char* name : {"gate_layer", "proj"}) {
    layers.push_back(qwen_image21_linear(scope / name, width, hidden));
  }
  return {scope, std::move(layers), {kQwenImage21Both}};
}

ReferenceSequence qwen_image21_sequence(const QwenImage21Inputs& inputs) {
  std::vector<LatentSize> sizes;
  for (const Value reference : inputs.references) {
    sizes.push_back({reference.shape()[1], reference.shape()[2]});
  }
  return {inputs.text.shape()[1], sizes, inputs.places};
}

}  // namespace

QwenImage21Transformer::Block::Block(const QwenImage21Config& c, const Scope& scope)
    : path(scope.path()),
      qkv(qwen_image21_qkv(scope / "attn", c.width())),
      norm_q(scope / "attn.norm_q", c.head_dim, c.norm_eps),
      norm_k(scope / "attn.norm_k", c.head_dim, c.norm_eps),
      out(qwen_image21_linear(scope / "attn.to_out.0", c.width(), c.width())),
      gate_up(qwen_image21_gate_up(scope / "img_mlp", c.width(), c.hidden())),
      down(qwen_image21_linear(scope / "img_mlp.out", c.hidden(), c.width())) {}

QwenImage21Transformer::QwenImage21Transformer(const QwenImage21Config& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(qwen_image21_linear(scope / "img_in", c.in_channels, c.width())),
      text_norm_(scope / "txt_in.text_norm", c.context_channels, c.norm_eps, RmsWeight::offset),
      text1_(qwen_image21_linear(scope / "txt_in.in_layer", c.context_channels, c.width())),
      text2_(qwen_image21_linear(scope / "txt_in.out_layer", c.width(), c.width())),
      time_(scope / "time_text_embed.timestep_embedder", kQwenImage21Time, c.width(),
            /*bias=*/false),
      modulation_(
          qwen_image21_linear(scope / "modulation.1", c.width(), std::int64_t{4} * c.width())),
      exit_modulation_(qwen_image21_linear(scope / "norm_out.linear", c.width(), c.width())),
      exit_(qwen_image21_linear(scope / "proj_out", c.width(), c.in_channels)) {
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c, scope / "transformer_blocks" / i);
  }
}

/// The text's time is a row of its own behind those of the images, so that each layer runs once.
QwenImage21Transformer::Times QwenImage21Transformer::times(Value timesteps) const {
  Graph& graph = timesteps.graph();
  const std::int64_t batch = timesteps.shape()[0];
  graph.set_path(path_ + ".time_text_embed");
  Value all = timesteps;
  if (config_.still_text) {
    all = reshape(concat_channels(reshape(timesteps, {1, batch}),
                                  constant(graph, timesteps.dtype(), {1, 1}, 0.0F)),
                  {batch + 1});
  }
  const Value embedded = time_(timestep_embedding(all, kQwenImage21Time, activations_));
  graph.set_path(path_ + ".modulation");
  const Value time = silu(embedded);
  const Value vectors = modulation_(time);
  graph.set_path(path_ + ".modulation");
  const auto of_rows = [&](std::int64_t begin, std::int64_t count) {
    const std::vector<Value> m = split_channels(take_rows(vectors, begin, count), 4);
    return Modulation{m[0], tanh(m[1]), m[2], tanh(m[3])};
  };
  const Modulation image = of_rows(0, batch);
  const Modulation text = config_.still_text ? of_rows(batch, 1) : image;
  const Value exit = exit_modulation_(take_rows(time, 0, batch));
  return {image, text, exit};
}

Value QwenImage21Transformer::text_entry(Value text) const {
  const Value hidden = text1_(text_norm_(cast(text, activations_)));
  text.graph().set_path(path_ + ".txt_in");
  return text2_(unary(Unary::gelu_tanh, hidden));
}

QwenImage21Transformer::Attended QwenImage21Transformer::attended(const QwenImage21Inputs& inputs,
                                                                  std::int64_t latents) const {
  Graph& graph = inputs.keys.graph();
  const ReferenceSequence sequence = qwen_image21_sequence(inputs);
  const std::int64_t batch = inputs.keys.shape()[0], before = sequence.count();
  const std::int64_t frame = config_.axes_dims[0] / 2, pairs = config_.head_dim / 2;
  const auto zeros = [&](std::int64_t count) {
    return constant(graph, inputs.keys.dtype(), {batch, count, 1}, 0.0F);
  };
  Value next = inputs.lengths;
  if (!sequence.plain()) {
    const auto moved = static_cast<float>(qwen_image21_moved(sequence));
    next = add(next, constant(graph, next.dtype(), {batch}, moved));
  }
  const Value angles = timestep_embedding(next, 2 * frame, statistics_);
  const auto filled = [&](Value table, std::int64_t begin) {
    const Value all = cast(table, statistics_);
    const Value others = constant(graph, statistics_, {batch, pairs - frame}, 0.0F);
    const Value own = concat_channels(slice_channels(angles, begin, frame), others);
    return join_tokens(take_tokens(all, 0, before),
                       add_per_sample(take_tokens(all, before, latents), own));
  };
  std::vector<Value> open;
  for (const LatentSize& reference : sequence.references()) {
    open.push_back(zeros(reference.positions()));
  }
  const Value keys =
      sequence.joined(reshape(inputs.keys, {batch, inputs.keys.shape()[1], 1}), open);
  return {sequence, filled(inputs.cos, 0), filled(inputs.sin, frame),
          reshape(join_tokens(keys, zeros(latents)), {batch, before + latents}), inputs.order};
}

/// The text and the references, in the transformer's width.
Value QwenImage21Transformer::prefix(const QwenImage21Inputs& inputs,
                                     const ReferenceSequence& sequence) const {
  const Value text = text_entry(inputs.text);
  std::vector<Value> references;
  for (const Value reference : inputs.references) {
    const Shape s = reference.shape();
    references.push_back(entry_(reshape(cast(reference, activations_), {s[0], s[1] * s[2], s[3]})));
  }
  return sequence.joined(text, references);
}

/// LayerNorm without affine, then the modulation's scale.
Value QwenImage21Transformer::normed(Value x, Value scale) const {
  return modulate(layer_norm(x, {}, {}, static_cast<float>(config_.norm_eps)), scale, {});
}

/// A call for each block of the block-causal mask: text to what is before it, a reference to that
/// and itself, the image to everything.
Value QwenImage21Transformer::attend(const Block& block, Value x, const Attended& to) const {
  Graph& graph = x.graph();
  const ReferenceSequence& sequence = to.sequence;
  const std::int64_t before = sequence.count();
  const std::vector<Value> qkv = block.qkv(x, kQwenImage21Qkv);
  const RopeOptions turn{.heads = config_.heads};
  const Value normed_q = block.norm_q.of_heads(packed(qkv[0]));
  const Value normed_k = block.norm_k.of_heads(packed(qkv[1]));
  graph.set_path(block.path + ".attn");
  const Value q = rope(normed_q, to.cos, to.sin, turn);
  const Value k = rope(normed_k, to.cos, to.sin, turn);
  const Value v = packed(qkv[2]);
  AttentionOptions options;
  options.heads = config_.heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim)));
  const Value image =
      attention(take_tokens(q, before, x.shape()[1] - before), k, v, options, {.keys = to.keys});
  std::vector<Value> references;
  for (const ReferenceSequence::Run& run : sequence.runs()) {
    if (run.reference >= 0) {
      const std::int64_t end = run.begin + run.count;
      references.push_back(attention(take_tokens(q, run.begin, run.count), take_tokens(k, 0, end),
                                     take_tokens(v, 0, end), options));
    }
  }
  options.causal = sequence.plain();
  const Value text = attention(sequence.text_of(q), take_tokens(k, 0, before),
                               take_tokens(v, 0, before), options, {.scores = to.order});
  return block.out(join_tokens(sequence.joined(text, references), image));
}

QwenImage21Transformer::Streams QwenImage21Transformer::run_block(const Block& block, Streams x,
                                                                  const Times& time,
                                                                  const Attended& to) const {
  Graph& graph = x.image.graph();
  const Segment segment(graph);
  graph.set_path(block.path);
  const std::int64_t tokens = x.text.shape()[1], latents = x.image.shape()[1];
  const auto add_gated = [&](Value y, Value text_gate, Value image_gate) {
    graph.set_path(block.path);
    x.text = gated_add(x.text, take_tokens(y, 0, tokens), text_gate);
    x.image = gated_add(x.image, take_tokens(y, tokens, latents), image_gate);
  };
  const Value attention_in =
      join_tokens(normed(x.text, time.text.scale1), normed(x.image, time.image.scale1));
  add_gated(attend(block, attention_in, to), time.text.gate1, time.image.gate1);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const std::vector<Value> both = block.gate_up(
      join_tokens(normed(x.text, time.text.scale2), normed(x.image, time.image.scale2)),
      kQwenImage21Both);
  graph.set_path(block.path + ".img_mlp");
  add_gated(block.down(swiglu(both[0], both[1])), time.text.gate2, time.image.gate2);
  return x;
}

void QwenImage21Transformer::check_inputs(Value latents, const QwenImage21Inputs& inputs) const {
  const Shape s = latents.shape();
  check_transformer_inputs("qwen_image21", latents, inputs.text, config_.in_channels,
                           config_.context_channels);
  for (const Value reference : inputs.references) {
    const Shape r = reference.shape();
    check_op(r.rank() == 4 && r[0] == s[0] && r[3] == config_.in_channels, "qwen_image21",
             reference, [&] {
               return "references must be [batch, height, width, " +
                      std::to_string(config_.in_channels) + "]; got " + describe(reference);
             });
  }
}

Value QwenImage21Transformer::forward(Graph& graph, Value latents,
                                      const QwenImage21Inputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Shape s = latents.shape();
  const std::int64_t count = s[1] * s[2];
  const Times time = times(inputs.timesteps);
  const Value text = prefix(inputs, qwen_image21_sequence(inputs));
  graph.set_path(path_);
  const Value image = entry_(reshape(cast(latents, activations_), {s[0], count, s[3]}));
  graph.set_path(path_);
  const Attended to = attended(inputs, count);
  Streams x{text, image};
  for (const Block& block : blocks_) {
    x = run_block(block, x, time, to);
  }
  graph.set_path(path_ + ".norm_out");
  const Value out = exit_(normed(x.image, time.exit));
  graph.set_path(path_);
  return cast(reshape(out, s), latents.dtype());
}

}  // namespace mantissa
