#include "engine/models/pixart/pixart.h"

#include <algorithm>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/transformer_inputs.h"

namespace mantissa {
namespace {

constexpr std::int64_t kSinusoid = 256;  ///< of the timestep and of each size
constexpr double kOutputNormEps = 1e-6;

/// Vector `index` of a table [rows, width], as [1, width].
Value table_row(Value table, std::int64_t index) {
  const std::int64_t width = table.shape()[1];
  return slice_channels(reshape(table, {1, table.shape().count()}), index * width, width);
}

/// [sin, cos] of the positions: a timestep embedding with its halves swapped.
Value sine_cosine(Value positions, std::int64_t width) {
  const Value both = timestep_embedding(positions, width, positions.dtype());
  return concat_channels(slice_channels(both, width / 2, width / 2),
                         slice_channels(both, 0, width / 2));
}

/// Statistics in fp32 inside: LayerNorm without scale and shift.
Value plain_norm(Value x, double eps) {
  return layer_norm(x, {}, {}, static_cast<float>(eps));
}

}  // namespace

PixartTransformer::Block::Block(const PixartConfig& c, const Scope& scope)
    : path(scope.path()),
      table(&scope.weight("scale_shift_table", {6, c.width()}, ModuleKind::norm)),
      attn1(scope / "attn1", {c.width(), c.width(), c.heads, /*qkv_bias=*/true}),
      attn2(scope / "attn2", {c.width(), c.width(), c.heads, /*qkv_bias=*/true}),
      ff_in(scope / "ff.net.0.proj", c.width(), std::int64_t{4} * c.width()),
      ff_out(scope / "ff.net.2", std::int64_t{4} * c.width(), c.width()) {}

PixartTransformer::PixartTransformer(const PixartConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      patch_(scope / "pos_embed.proj", c.in_channels, c.width(), c.patch_size,
             ConvOptions{.stride = c.patch_size}),
      time_(scope / "adaln_single.emb.timestep_embedder", kSinusoid, c.width()),
      condition_(scope / "adaln_single.linear", c.width(), std::int64_t{6} * c.width()),
      caption1_(scope / "caption_projection.linear_1", c.caption_channels, c.width()),
      caption2_(scope / "caption_projection.linear_2", c.width(), c.width()),
      table_(&scope.weight("scale_shift_table", {2, c.width()}, ModuleKind::norm)),
      proj_out_(scope / "proj_out", c.width(),
                std::int64_t{c.out_channels} * c.patch_size * c.patch_size) {
  if (c.additional_conditions) {
    const std::int64_t third = c.width() / 3;
    resolution_.emplace(scope / "adaln_single.emb.resolution_embedder", kSinusoid, third);
    aspect_.emplace(scope / "adaln_single.emb.aspect_ratio_embedder", kSinusoid, third);
  }
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c, scope / "transformer_blocks" / i);
  }
}

Value PixartTransformer::patches(Graph& graph, Value latents, const PixartInputs& inputs) const {
  const Value image = patch_(latents);  // [b, h/p, w/p, width]
  const Shape s = image.shape();
  const std::int64_t tokens = s[1] * s[2], width = s[3];
  graph.set_path(path_ + ".pos_embed");
  check_op(inputs.columns.shape() == Shape{tokens} && inputs.rows.shape() == Shape{tokens},
           "pixart", latents, [&] {
             return "expected the columns and rows of " + std::to_string(tokens) + " patches";
           });
  const Value position = concat_channels(sine_cosine(inputs.columns, width / 2),
                                         sine_cosine(inputs.rows, width / 2));  // [tokens, width]
  // In fp32: neighbouring positions' cosines are close, and half types would merge them.
  const Value flat = reshape(cast(image, position.dtype()), {s[0], tokens * width});
  const Value sum = add_per_sample(flat, reshape(position, {1, tokens * width}));
  return cast(reshape(sum, {s[0], tokens, width}), latents.dtype());
}

PixartTransformer::Conditions PixartTransformer::conditions(Graph& graph,
                                                            const PixartInputs& inputs,
                                                            DType dtype) const {
  graph.set_path(path_ + ".adaln_single");
  const std::int64_t batch = inputs.timesteps.shape()[0];
  Value e = time_(timestep_embedding(inputs.timesteps, kSinusoid, dtype));  // [b, width]
  if (resolution_) {
    check_op(
        inputs.sizes && inputs.sizes.shape() == Shape{batch, 3}, "pixart", inputs.timesteps, [&] {
          return "expected height, width and aspect ratio of each sample " + Shape{batch, 3}.str();
        });
    const auto embedded = [&](const TimestepMlp& mlp, std::int64_t begin, std::int64_t count) {
      const Value numbers = reshape(slice_channels(inputs.sizes, begin, count), {batch * count});
      const Value rows = mlp(timestep_embedding(numbers, kSinusoid, dtype));
      return reshape(rows, {batch, count * rows.shape()[1]});
    };
    e = add(e, concat_channels(embedded(*resolution_, 0, 2), embedded(*aspect_, 2, 1)));
  }
  return {condition_(silu(e)), e};
}

Value PixartTransformer::run_block(const Block& block, Value x, Value condition, Value text,
                                   Value mask) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  const std::int64_t width = config_.width();
  graph.set_path(block.path);
  const Value table = cast(graph.use(*block.table), x.dtype());
  const Value all = add_per_sample(condition, reshape(table, {1, 6 * width}));  // [b, 6·width]
  const auto part = [&](std::int64_t i) { return slice_channels(all, i * width, width); };
  const Value self = modulate(plain_norm(x, config_.norm_eps), part(1), part(0));
  x = gated_add(x, block.attn1(self, self), part(2));
  x = block.attn2(x, text, x, {{}, mask});
  graph.set_path(block.path);
  const Segment feed_forward(graph, SegmentScope::feed_forward);
  const Value h = modulate(plain_norm(x, config_.norm_eps), part(4), part(3));
  return gated_add(x, block.ff_out(unary(Unary::gelu_tanh, block.ff_in(h))), part(5));
}

Value PixartTransformer::forward(Graph& graph, Value latents, const PixartInputs& inputs) const {
  graph.set_path(path_);
  const Shape s = latents.shape();
  const std::int64_t patch = config_.patch_size;
  check_transformer_inputs("pixart", latents, inputs.text, config_.in_channels,
                           config_.caption_channels, patch);
  const DType border = latents.dtype();
  Value x = patches(graph, cast(latents, activations_), inputs);  // [b, tokens, width]
  const Conditions c = conditions(graph, inputs, activations_);
  const Value text = caption2_(unary(Unary::gelu_tanh, caption1_(cast(inputs.text, activations_))));
  for (const Block& block : blocks_) {
    x = run_block(block, x, c.block, text, inputs.text_mask);
  }
  graph.set_path(path_);
  const Value table = cast(graph.use(*table_), x.dtype());
  const Value shift = add_per_sample(c.end, table_row(table, 0));
  const Value scale = add_per_sample(c.end, table_row(table, 1));
  x = proj_out_(modulate(plain_norm(x, kOutputNormEps), scale, shift));  // [b, tokens, p·p·out]
  // (rows, columns, p, p·out) -> (rows, p, columns, p·out): pixels in image order.
  const std::int64_t rows = s[1] / patch, columns = s[2] / patch;
  const Value grid = reshape(x, {s[0] * rows, columns, patch, patch * config_.out_channels});
  return cast(reshape(swap_middle(grid), {s[0], s[1], s[2], config_.out_channels}), border);
}

std::pair<std::vector<float>, std::vector<float>> pixart_grid(std::int64_t height,
                                                              std::int64_t width,
                                                              const PixartConfig& config) {
  const std::int64_t rows = height / config.patch_size, columns = width / config.patch_size;
  const double base = config.sample_size / config.patch_size;
  const auto place = [&](std::int64_t i, std::int64_t count) {
    return static_cast<float>(static_cast<double>(i) / (static_cast<double>(count) / base) /
                              config.interpolation_scale);
  };
  std::pair<std::vector<float>, std::vector<float>> grid;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      grid.first.push_back(place(c, columns));
      grid.second.push_back(place(r, rows));
    }
  }
  return grid;
}

}  // namespace mantissa
