#include "engine/models/anima/anima.h"

#include "engine/core/error.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr double kAnimaHeadEps = 1e-5, kAnimaTimeEps = 1e-6;
constexpr float kAnimaBlockEps = 1e-6F;
constexpr double kAnimaTheta = 10000;

Linear anima_linear(const Scope& scope, std::int64_t in, std::int64_t out) {
  return {scope, in, out, /*bias=*/false};
}

AnimaAttentionShape anima_attention_shape(const AnimaConfig& c, bool self) {
  return {.width = c.width(),
          .context = self ? c.width() : c.text_channels,
          .heads = c.heads,
          .head_dim = c.head_dim,
          .norm_eps = kAnimaHeadEps,
          .self = self};
}

/// LayerNorm without affine, then m[0] and m[1]: shift and scale.
Value anima_normed(Value x, const std::vector<Value>& m) {
  return modulate(layer_norm(x, {}, {}, kAnimaBlockEps), m[1], m[0]);
}

}  // namespace

AnimaTransformer::Modulation::Modulation(const AnimaConfig& c, const Scope& scope, int count)
    : path(scope.path()),
      down(anima_linear(scope / "linear_1", c.width(), c.modulation_rank)),
      up(anima_linear(scope / "linear_2", c.modulation_rank, std::int64_t{count} * c.width())),
      count(count) {}

std::vector<Value> AnimaTransformer::Modulation::operator()(Value condition, Value shared) const {
  return split_channels(up(down(condition), shared), count);
}

AnimaTransformer::Block::Block(const AnimaConfig& c, const Scope& scope)
    : path(scope.path()),
      norm1(c, scope / "norm1", 3),
      norm2(c, scope / "norm2", 3),
      norm3(c, scope / "norm3", 3),
      attention(scope / "attn1", anima_attention_shape(c, true), AnimaAttention::kTransformer),
      cross_attention(scope / "attn2", anima_attention_shape(c, false),
                      AnimaAttention::kTransformer),
      feed_in(anima_linear(scope / "ff.net.0.proj", c.width(), c.hidden())),
      feed_out(anima_linear(scope / "ff.net.2", c.hidden(), c.width())) {}

AnimaTransformer::AnimaTransformer(const AnimaConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(anima_linear(scope / "patch_embed.proj", c.patch_channels(), c.width())),
      time1_(anima_linear(scope / "time_embed.t_embedder.linear_1", c.width(), c.width())),
      time2_(anima_linear(scope / "time_embed.t_embedder.linear_2", c.width(),
                          std::int64_t{3} * c.width())),
      time_norm_(scope / "time_embed.norm", c.width(), kAnimaTimeEps),
      exit_norm_(c, scope / "norm_out", 2),
      exit_(anima_linear(scope / "proj_out", c.width(),
                         std::int64_t{c.in_channels} * c.patch_size * c.patch_size)) {
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c, scope / "transformer_blocks" / i);
  }
}

AnimaTransformer::Condition AnimaTransformer::condition(Graph& graph, Value times) const {
  graph.set_path(path_ + ".time_embed");
  const Value waves = timestep_embedding(times, config_.width(), activations_);
  const Value hidden = time1_(waves);
  graph.set_path(path_ + ".time_embed");
  const Value shared = time2_(silu(hidden));
  const Value normed = time_norm_(waves);
  graph.set_path(path_ + ".time_embed");
  return {silu(normed), shared};
}

Value AnimaTransformer::patches(Graph& graph, Value latents) const {
  const Shape s = latents.shape();
  Value x = cast(latents, activations_);
  if (config_.padding_mask) {
    // 0: no pixel of the image is padding.
    x = concat_channels(x, constant(graph, x.dtype(), {s[0], s[1], s[2], 1}, 0.0F));
  }
  const Value p = to_patches(x, config_.patch_size);
  return entry_(reshape(p, {s[0], p.shape()[1] * p.shape()[2], config_.patch_channels()}));
}

Value AnimaTransformer::run_block(const Block& block, Value x, const Condition& c,
                                  const AnimaInputs& inputs) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  const auto residual = [&](const Modulation& modulation, auto&& branch) {
    const std::vector<Value> m = modulation(c.each, c.shared);
    graph.set_path(modulation.path);
    const Value y = branch(anima_normed(x, m));
    graph.set_path(block.path);
    x = gated_add(x, y, m[2]);
  };
  residual(block.norm1, [&](Value h) { return block.attention(h, h, inputs.rotation); });
  residual(block.norm2, [&](Value h) { return block.cross_attention(h, inputs.text, {}); });
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  residual(block.norm3, [&](Value h) {
    const Value wide = block.feed_in(h);
    graph.set_path(block.path + ".ff");
    return block.feed_out(unary(Unary::gelu_erf, wide));
  });
  return x;
}

Value AnimaTransformer::exit(Value x, const Condition& c, const Shape& s) const {
  Graph& graph = x.graph();
  // The final norm shares the first two of the blocks' three.
  const Value shared = slice_channels(c.shared, 0, std::int64_t{2} * config_.width());
  const std::vector<Value> m = exit_norm_(c.each, shared);
  graph.set_path(path_ + ".norm_out");
  const Value out = exit_(anima_normed(x, m));  // [b, patches, p·p·in]
  graph.set_path(path_);
  const std::int64_t p = config_.patch_size;
  return from_pixels(reshape(out, {s[0], s[1] / p, s[2] / p, out.shape()[2]}), p);
}

void AnimaTransformer::check_inputs(Value latents, const AnimaInputs& inputs) const {
  check_transformer_inputs("anima", latents, inputs.text, config_.in_channels,
                           config_.text_channels, config_.patch_size);
}

Value AnimaTransformer::forward(Graph& graph, Value latents, const AnimaInputs& given) const {
  graph.set_path(path_);
  check_inputs(latents, given);
  AnimaInputs inputs = given;
  inputs.text = cast(given.text, activations_);
  inputs.rotation = {cast(given.rotation.cos, statistics_), cast(given.rotation.sin, statistics_)};
  const Condition c = condition(graph, given.times);
  graph.set_path(path_);
  Value x = patches(graph, latents);
  for (const Block& block : blocks_) {
    x = run_block(block, x, c, inputs);
  }
  return cast(exit(x, c, latents.shape()), latents.dtype());
}

RotaryTables anima_positions(std::int64_t height, std::int64_t width, const AnimaConfig& c) {
  const std::int64_t rows = height / c.patch_size, columns = width / c.patch_size;
  if (rows > c.most_patches || columns > c.most_patches) {
    throw Error(message<"the image is {rows} x {columns} patches; the model has positions for "
                        "{most_rows} x {most_columns}. Lower the resolution">(
        rows, columns, c.most_patches, c.most_patches));
  }
  // Rows and columns get a third of a head each, rounded down to pairs; the frame what is left.
  const std::int64_t side = c.head_dim / 6 * 2, frame = c.head_dim - 2 * side;
  std::vector<RotaryAxis> axes;
  for (const std::int64_t channels : {frame, side, side}) {
    axes.push_back(
        {.width = channels, .theta = kAnimaTheta, .ntk_factor = c.rope_scale[axes.size()]});
  }
  std::vector<double> positions;
  positions.reserve(static_cast<std::size_t>(3 * rows * columns));
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x) {
      positions.insert(positions.end(), {0, static_cast<double>(y), static_cast<double>(x)});
    }
  }
  return rotary_tables(axes, positions);
}

}  // namespace mantissa
