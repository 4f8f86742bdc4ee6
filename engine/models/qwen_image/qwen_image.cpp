#include "engine/models/qwen_image/qwen_image.h"

#include <algorithm>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr std::int64_t kQwenImageTime = 256;  ///< channels of the timestep's sinusoid
constexpr double kQwenImageTheta = 10000, kQwenImageNormEps = 1e-6;
/// Shift, scale and gate of attention and of the feed-forward.
constexpr int kQwenImageModulation = 6;

std::int64_t qwen_image_patches(Value latents) {
  const Shape s = latents.shape();
  return (s[1] / kFlux1Patch) * (s[2] / kFlux1Patch);
}

}  // namespace

QwenImageTransformer::Block::Block(const Flux1Widths& w, const Scope& scope)
    : block(w, scope, {"img_mlp.net", "txt_mlp.net"}),
      image(scope / "img_mod.1", w.width(), kQwenImageModulation * w.width()),
      text(scope / "txt_mod.1", w.width(), kQwenImageModulation * w.width()) {}

QwenImageTransformer::QwenImageTransformer(const QwenImageConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(scope / "img_in", c.in_channels, c.width()),
      text_norm_(scope / "txt_norm", c.context_channels, kQwenImageNormEps),
      text_entry_(scope / "txt_in", c.context_channels, c.width()),
      time_(scope / "time_text_embed.timestep_embedder", kQwenImageTime, c.width()),
      exit_modulation_(scope / "norm_out.linear", c.width(), 2 * c.width()),
      exit_(scope / "proj_out", c.width(), c.in_channels) {
  for (int i = 0; i < c.layers; ++i) {
    blocks_.emplace_back(c.widths(), scope / "transformer_blocks" / i);
  }
}

void QwenImageTransformer::check_inputs(Value latents, const QwenImageInputs& inputs) const {
  check_transformer_inputs("qwen_image", latents, inputs.text, config_.latent_channels(),
                           config_.context_channels, kFlux1Patch);
  for (const Value reference : inputs.references) {
    check_transformer_inputs("qwen_image", reference, inputs.text, config_.latent_channels(),
                             config_.context_channels, kFlux1Patch);
  }
  const Shape text = inputs.text.shape();
  check_op(inputs.keys.shape() == (Shape{text[0], text[1]}), "qwen_image", inputs.keys,
           [&] { return "the mask must be [batch, tokens]; got " + describe(inputs.keys); });
}

Flux1Attended QwenImageTransformer::attended(Graph& graph, Value latents,
                                             const QwenImageInputs& inputs) const {
  std::int64_t patches = qwen_image_patches(latents);
  for (const Value reference : inputs.references) {
    patches += qwen_image_patches(reference);
  }
  const Value image = constant(graph, statistics_, {latents.shape()[0], patches}, 0.0F);
  return {cast(inputs.cos, statistics_), cast(inputs.sin, statistics_),
          concat_channels(cast(inputs.keys, statistics_), image)};
}

/// Whether references have a time of their own.
bool QwenImageTransformer::still(const QwenImageInputs& inputs) const {
  return config_.zero_cond_t && !inputs.references.empty();
}

/// The time's vectors [b, width]; that of still references is a row behind them, so that each layer
/// runs once.
Value QwenImageTransformer::times(const QwenImageInputs& inputs) const {
  Graph& graph = inputs.timesteps.graph();
  graph.set_path(path_ + ".time_text_embed");
  Value all = inputs.timesteps;
  if (still(inputs)) {
    const std::int64_t batch = all.shape()[0];
    all = reshape(
        concat_channels(reshape(all, {1, batch}), constant(graph, all.dtype(), {1, 1}, 0.0F)),
        {batch + 1});
  }
  const Value embedded = time_(timestep_embedding(all, kQwenImageTime, activations_));
  graph.set_path(path_);
  return silu(embedded);
}

Value QwenImageTransformer::exit(Value x, Value time) const {
  const Value all = exit_modulation_(time);
  x.graph().set_path(path_ + ".norm_out");
  const std::vector<Value> m = split_channels(all, 2);  // scale, then shift
  return exit_(flux1_normed(x, m[1], m[0]));
}

Value QwenImageTransformer::forward(Graph& graph, Value latents,
                                    const QwenImageInputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Flux1Attended to = attended(graph, latents, inputs);
  const std::int64_t batch = latents.shape()[0];
  const Value all_times = times(inputs);
  const Value time = still(inputs) ? take_rows(all_times, 0, batch) : all_times;
  const auto double_block = [&](std::size_t i, const Flux1Streams& x) {
    const Block& b = blocks_[i];
    Value image = b.image(all_times);
    graph.set_path(b.block.path());
    Flux1Behind behind{qwen_image_patches(latents)};
    if (still(inputs)) {
      behind.modulation = split_channels(take_rows(image, batch, 1), kQwenImageModulation);
      image = take_rows(image, 0, batch);
    }
    const Flux1Modulation of_image = split_channels(image, kQwenImageModulation);
    const Value text = b.text(time);
    graph.set_path(b.block.path());
    return b.block(x, of_image, split_channels(text, kQwenImageModulation), to, behind);
  };
  return flux1_forward(path_, activations_, latents, text_norm_(cast(inputs.text, activations_)),
                       {.entry = entry_,
                        .text_entry = text_entry_,
                        .double_blocks = blocks_.size(),
                        .double_block = double_block,
                        .exit = [&](Value x) { return exit(x, time); }},
                       inputs.references);
}

RotaryTables qwen_image_positions(std::int64_t tokens, LatentSize image,
                                  const QwenImageConfig& config,
                                  std::span<const LatentSize> references) {
  std::vector<RotaryAxis> axes;
  for (const int channels : config.axes_dims) {
    axes.push_back({.width = channels, .theta = kQwenImageTheta});
  }
  std::vector<LatentSize> images{image};
  images.insert(images.end(), references.begin(), references.end());
  std::int64_t first = 0;
  std::vector<double> behind;
  for (std::size_t frame = 0; frame < images.size(); ++frame) {
    const std::int64_t rows = images[frame].height / kFlux1Patch;
    const std::int64_t columns = images[frame].width / kFlux1Patch;
    first = std::max({first, rows / 2, columns / 2});
    for (std::int64_t y = rows / 2 - rows; y < rows / 2; ++y) {
      for (std::int64_t x = columns / 2 - columns; x < columns / 2; ++x) {
        behind.insert(behind.end(),
                      {static_cast<double>(frame), static_cast<double>(y), static_cast<double>(x)});
      }
    }
  }
  std::vector<double> positions;
  for (std::int64_t i = 0; i < tokens; ++i) {
    positions.insert(positions.end(), 3, static_cast<double>(first + i));
  }
  positions.insert(positions.end(), behind.begin(), behind.end());
  return rotary_tables(axes, positions);
}

}  // namespace mantissa
