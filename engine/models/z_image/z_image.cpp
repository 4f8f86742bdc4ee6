#include "engine/models/z_image/z_image.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr std::int64_t kZImageSinusoid = 256;  ///< of the timestep
constexpr std::int64_t kTimeHidden = 1024;
constexpr double kHeadNormEps = 1e-5;  ///< of the norms of q and k, whatever norm_eps is
constexpr float kExitNormEps = 1e-6F;
constexpr float kIgnored = -10000.0F;  ///< its softmax is exactly 0 in fp32

constexpr Projections::Run kQkv{0, 3}, kGateAndValue{0, 2};

Projections z_image_projections(const Scope& scope, std::initializer_list<const char*> names,
                                std::int64_t in, std::int64_t out) {
  std::vector<Linear> layers;
  for (const char* name : names) {
    layers.emplace_back(scope / name, in, out, /*bias=*/false);
  }
  return {scope, std::move(layers), {Projections::Run{0, static_cast<int>(names.size())}}};
}

}  // namespace

Value z_image_times(Graph& graph, Value timesteps) {
  const Value most = constant(graph, timesteps.dtype(), timesteps.shape(), kZImageTimes);
  return add(most, scale(timesteps, -1.0F));
}

ZImageTransformer::Block::Block(const ZImageConfig& c, const Scope& scope, bool modulated)
    : path(scope.path()),
      qkv(z_image_projections(scope / "attention", {"to_q", "to_k", "to_v"}, c.width, c.width)),
      norm_q(scope / "attention.norm_q", c.head_dim(), kHeadNormEps),
      norm_k(scope / "attention.norm_k", c.head_dim(), kHeadNormEps),
      out(scope / "attention.to_out.0", c.width, c.width, /*bias=*/false),
      attention_norm1(scope / "attention_norm1", c.width, c.norm_eps),
      attention_norm2(scope / "attention_norm2", c.width, c.norm_eps),
      ffn_norm1(scope / "ffn_norm1", c.width, c.norm_eps),
      ffn_norm2(scope / "ffn_norm2", c.width, c.norm_eps),
      gate_and_value(
          z_image_projections(scope / "feed_forward", {"w1", "w3"}, c.width, c.hidden())),
      feed_out(scope / "feed_forward.w2", c.hidden(), c.width, /*bias=*/false) {
  if (modulated) {
    modulation.emplace(scope / "adaLN_modulation.0", c.condition(), std::int64_t{4} * c.width);
  }
}

ZImageTransformer::ZImageTransformer(const ZImageConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(scope / "all_x_embedder.2-1",
             std::int64_t{c.in_channels} * c.patch_size * c.patch_size, c.width),
      time1_(scope / "t_embedder.mlp.0", kZImageSinusoid, kTimeHidden),
      time2_(scope / "t_embedder.mlp.2", kTimeHidden, c.condition()),
      caption_norm_(scope / "cap_embedder.0", c.caption_channels, c.norm_eps),
      caption_(scope / "cap_embedder.1", c.caption_channels, c.width, /*bias=*/false),
      caption_bias_(&(scope / "cap_embedder.1").weight("bias", {c.width}, ModuleKind::vector)),
      image_pad_(&scope.weight("x_pad_token", {1, c.width}, ModuleKind::vector)),
      caption_pad_(&scope.weight("cap_pad_token", {1, c.width}, ModuleKind::vector)),
      scale_(scope / "all_final_layer.2-1.adaLN_modulation.1", c.condition(), c.width),
      exit_(scope / "all_final_layer.2-1.linear", c.width,
            std::int64_t{c.in_channels} * c.patch_size * c.patch_size) {
  for (int i = 0; i < c.refiner_layers; ++i) {
    noise_refiner_.emplace_back(c, scope / "noise_refiner" / i, /*modulated=*/true);
  }
  for (int i = 0; i < c.refiner_layers; ++i) {
    context_refiner_.emplace_back(c, scope / "context_refiner" / i, /*modulated=*/false);
  }
  for (int i = 0; i < c.layers; ++i) {
    layers_.emplace_back(c, scope / "layers" / i, /*modulated=*/true);
  }
}

ZImageTransformer::Rotations ZImageTransformer::rotations(Graph& graph, const ZImageInputs& inputs,
                                                          std::int64_t patches) const {
  graph.set_path(path_);  // has no weights
  const Shape layout = inputs.layout.shape();
  const std::int64_t batch = layout[0], tokens = layout[1], n = patches + tokens;
  const std::int64_t pairs = config_.head_dim() / 2;
  const auto wide = [&](Value x) { return cast(x, statistics_); };
  const auto ones = [&](const Shape& shape) { return constant(graph, statistics_, shape, 1.0F); };
  const Value known = wide(inputs.layout);
  // Whole numbers until they meet the frequencies: angles are rounded once.
  const Value length = matmul(reshape(known, {batch, 2 * tokens}), ones({2 * tokens, 1}), {});
  const Value first =
      matmul(concat_channels(length, ones({batch, 1})), wide(inputs.order), {});  // [b, n]
  const Value positions = concat_channels(reshape(first, {batch, n, 1}), wide(inputs.grid));
  const Value angles = matmul(positions, wide(inputs.frequencies), {});  // [b, n, pairs]
  // A sinusoid of width 2 has the one frequency 1: cosine and sine of each angle.
  const Value waves = timestep_embedding(reshape(angles, {batch * n * pairs}), 2, statistics_);
  const auto table = [&](std::int64_t i) {
    return reshape(slice_channels(waves, i, 1), {batch, n, pairs});
  };
  const Value inside = matmul(known, ones({2, 1}), {.alpha = -kIgnored});
  const Value mask = add(reshape(inside, {batch, tokens}),
                         constant(graph, statistics_, {batch, tokens}, kIgnored));
  Rotations all;
  all.both = {table(0), table(1),
              concat_channels(constant(graph, statistics_, {batch, patches}, 0.0F), mask)};
  all.image = {take_tokens(all.both.cos, 0, patches), take_tokens(all.both.sin, 0, patches), {}};
  all.text = {take_tokens(all.both.cos, patches, tokens),
              take_tokens(all.both.sin, patches, tokens), mask};
  return all;
}

Value ZImageTransformer::condition(Graph& graph, Value times) const {
  graph.set_path(path_ + ".t_embedder");
  const auto unit = static_cast<float>(config_.t_scale / kZImageTimes);
  const Value t = unit == 1 ? times : scale(times, unit);
  const Value hidden = time1_(timestep_embedding(t, kZImageSinusoid, activations_));
  graph.set_path(path_ + ".t_embedder");
  return time2_(silu(hidden));
}

Value ZImageTransformer::image_tokens(Graph& graph, Value latents, std::int64_t patches) const {
  const Shape s = latents.shape();
  const std::int64_t p = config_.patch_size, rows = s[1] / p, columns = s[2] / p;
  // (rows, p, columns, p·in) -> (rows, columns, p, p·in): each patch together.
  const Value grid = reshape(cast(latents, activations_), {s[0] * rows, p, columns, p * s[3]});
  const Value x = entry_(reshape(swap_middle(grid), {s[0], rows * columns, p * p * s[3]}));
  const std::int64_t padding = patches - rows * columns;
  if (padding == 0) {
    return x;
  }
  graph.set_path(path_);  // the token is no module
  const Value each = constant(graph, x.dtype(), {s[0], padding, 1}, 1.0F);
  return join_tokens(x, matmul(each, read_tensor(graph, *image_pad_, x.dtype()), {}));
}

Value ZImageTransformer::text_tokens(Graph& graph, const ZImageInputs& inputs) const {
  const Value normed = caption_norm_(cast(inputs.text, activations_));
  graph.set_path(path_);
  // Of a vector of zeros nothing is left but the bias: own tokens get it here, the others the
  // padding token or nothing.
  const auto row = [&](Tensor& tensor) {
    return reshape(read_tensor(graph, tensor, activations_), {1, config_.width});
  };
  const Value table =
      reshape(concat_channels(row(*caption_bias_), row(*caption_pad_)), {2, config_.width});
  return caption_(normed, matmul(cast(inputs.layout, activations_), table, {}));
}

Value ZImageTransformer::attend(const Block& block, Value x, const Sequence& sequence) const {
  const std::vector<Value> qkv = block.qkv(x, kQkv);  // [b, tokens, width] each
  const RopeOptions turn{.heads = config_.heads};
  const Value q = block.norm_q.of_heads(packed(qkv[0])), k = block.norm_k.of_heads(packed(qkv[1]));
  x.graph().set_path(block.path + ".attention");
  AttentionOptions options;
  options.heads = config_.heads;
  options.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config_.head_dim())));
  return block.out(attention(rope(q, sequence.cos, sequence.sin, turn),
                             rope(k, sequence.cos, sequence.sin, turn), qkv[2], options,
                             {{}, sequence.mask}));
}

Value ZImageTransformer::run_block(const Block& block, Value x, const Sequence& sequence,
                                   Value condition) const {
  Graph& graph = x.graph();
  const Segment segment(graph);
  const auto feed_forward = [&](Value h) {
    const std::vector<Value> both = block.gate_and_value(h, kGateAndValue);
    graph.set_path(block.path + ".feed_forward");
    return block.feed_out(swiglu(both[0], both[1]));
  };
  if (!block.modulation) {
    const Value a = block.attention_norm2(attend(block, block.attention_norm1(x), sequence));
    x = add(x, a);
    const Segment fed(graph, SegmentScope::feed_forward);
    return add(x, block.ffn_norm2(feed_forward(block.ffn_norm1(x))));
  }
  // Scale and gate of attention, then of the feed-forward: [b, width] each.
  const std::vector<Value> m = split_channels((*block.modulation)(condition), 4);
  const auto normed = [&](const RmsNorm& norm, Value h, Value scale) {
    const Value n = norm(h);
    graph.set_path(block.path);
    return modulate(n, scale, {});
  };
  const auto gated = [&](const RmsNorm& norm, Value h, Value gate) {
    const Value n = norm(h);
    graph.set_path(block.path);
    return gated_add(x, n, tanh(gate));
  };
  x = gated(block.attention_norm2, attend(block, normed(block.attention_norm1, x, m[0]), sequence),
            m[1]);
  const Segment fed(graph, SegmentScope::feed_forward);
  return gated(block.ffn_norm2, feed_forward(normed(block.ffn_norm1, x, m[2])), m[3]);
}

Value ZImageTransformer::exit(Graph& graph, Value x, Value condition, const Shape& s) const {
  const std::int64_t p = config_.patch_size, rows = s[1] / p, columns = s[2] / p;
  graph.set_path(path_ + ".all_final_layer.2-1");
  const Value scale = scale_(silu(condition));
  graph.set_path(path_ + ".all_final_layer.2-1");
  const Value image = take_tokens(x, 0, rows * columns);
  x = exit_(modulate(layer_norm(image, {}, {}, kExitNormEps), scale, {}));  // [b, tokens, p·p·in]
  graph.set_path(path_);
  return from_pixels(reshape(x, {s[0], rows, columns, p * p * s[3]}), p);
}

Value ZImageTransformer::forward(Graph& graph, Value latents, const ZImageInputs& inputs) const {
  graph.set_path(path_);
  const Shape s = latents.shape();
  const std::int64_t p = config_.patch_size;
  check_op(s.rank() == 4 && s[3] == config_.in_channels && s[1] % p == 0 && s[2] % p == 0,
           "z_image", latents, [&] {
             return "latents must be [batch, height, width, " +
                    std::to_string(config_.in_channels) + "] with sides that are multiples of " +
                    std::to_string(p) + "; got " + describe(latents);
           });
  const Shape text = inputs.text.shape(), layout = inputs.layout.shape();
  check_op(
      text.rank() == 3 && text[2] == config_.caption_channels && text[1] % kZImageTokens == 0 &&
          layout.rank() == 3 && layout[0] == s[0] && layout[1] == text[1] && layout[2] == 2,
      "z_image", inputs.text, [&] {
        return "text must be [batch, a multiple of 32 tokens, " +
               std::to_string(config_.caption_channels) + "] with a layout of each token; got " +
               describe(inputs.text) + " and " + describe(inputs.layout);
      });
  const std::int64_t patches = z_image_sequence((s[1] / p) * (s[2] / p));
  const Rotations r = rotations(graph, inputs, patches);
  const Value c = condition(graph, inputs.times);
  Value image = image_tokens(graph, latents, patches);
  for (const Block& block : noise_refiner_) {
    image = run_block(block, image, r.image, c);
  }
  Value caption = text_tokens(graph, inputs);
  for (const Block& block : context_refiner_) {
    caption = run_block(block, caption, r.text, {});
  }
  graph.set_path(path_);
  Value x = join_tokens(image, caption);
  for (const Block& block : layers_) {
    x = run_block(block, x, r.both, c);
  }
  return cast(exit(graph, x, c, s), latents.dtype());
}

std::vector<float> z_image_layout(std::int64_t length, std::int64_t tokens) {
  std::vector<float> layout;
  for (std::int64_t i = 0; i < tokens; ++i) {
    layout.push_back(i < length ? 1.0F : 0.0F);
    layout.push_back(i >= length && i < z_image_sequence(length) ? 1.0F : 0.0F);
  }
  return layout;
}

ZImagePositions z_image_positions(std::int64_t height, std::int64_t width, std::int64_t tokens,
                                  const ZImageConfig& c) {
  const std::int64_t rows = height / c.patch_size, columns = width / c.patch_size;
  const std::int64_t count = rows * columns, patches = z_image_sequence(count),
                     n = patches + tokens;
  if (rows > c.axes_lens[1] || columns > c.axes_lens[2]) {
    throw Error(message<"the image is {rows} x {columns} patches; the model has positions for "
                        "{most_rows} x {most_columns}. Lower the resolution">(
        rows, columns, c.axes_lens[1], c.axes_lens[2]));
  }
  ZImagePositions p;
  p.order.resize(static_cast<std::size_t>(2 * n));
  p.grid.resize(static_cast<std::size_t>(2 * n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i < count) {
      p.grid[2 * at] = static_cast<float>(i / columns);
      p.grid[2 * at + 1] = static_cast<float>(i % columns);
      continue;
    }
    // The reference puts the image's padding at position 0, before the caption.
    p.order[at] = -1;
    p.order[static_cast<std::size_t>(n) + at] = static_cast<float>(i < patches ? -1 : i - patches);
  }
  const auto pairs = static_cast<std::size_t>(c.head_dim() / 2);
  p.frequencies.resize(3 * pairs);
  std::size_t pair = 0;
  for (std::size_t axis = 0; axis < c.axes_dims.size(); ++axis) {
    for (int i = 0; i < c.axes_dims[axis]; i += 2, ++pair) {
      p.frequencies[axis * pairs + pair] =
          static_cast<float>(std::pow(c.rope_theta, -static_cast<double>(i) / c.axes_dims[axis]));
    }
  }
  return p;
}

}  // namespace mantissa
