#include "engine/models/flux1/flux1.h"

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/transformer_inputs.h"

namespace mantissa {
namespace {

/// The reference multiplies guidance, like its timesteps in [0, 1], by this.
constexpr float kFlux1GuidanceUnit = 1000.0F;
constexpr std::int64_t kFlux1TimeChannels = 256;  ///< of the sinusoids

}  // namespace

Flux1Transformer::Double::Double(const Flux1Widths& w, const Scope& scope)
    : block(w, scope),
      image(scope / "norm1.linear", w.width(), 6 * w.width()),
      text(scope / "norm1_context.linear", w.width(), 6 * w.width()) {}

Flux1Transformer::Single::Single(const Flux1Widths& w, const Scope& scope)
    : block(w, scope), modulation(scope / "norm.linear", w.width(), 3 * w.width()) {}

Flux1Transformer::Flux1Transformer(const Flux1Config& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(scope / "x_embedder", c.in_channels, c.width()),
      text_entry_(scope / "context_embedder", c.context_channels, c.width()),
      time_(scope / "time_text_embed.timestep_embedder", kFlux1TimeChannels, c.width()),
      pooled_(scope / "time_text_embed.text_embedder", c.pooled_channels, c.width()),
      exit_modulation_(scope / "norm_out.linear", c.width(), std::int64_t{2} * c.width()),
      exit_(scope / "proj_out", c.width(), c.in_channels) {
  if (c.guidance) {
    guidance_.emplace(scope / "time_text_embed.guidance_embedder", kFlux1TimeChannels, c.width());
  }
  for (int i = 0; i < c.double_blocks; ++i) {
    double_blocks_.emplace_back(c.widths(), scope / "transformer_blocks" / i);
  }
  for (int i = 0; i < c.single_blocks; ++i) {
    single_blocks_.emplace_back(c.widths(), scope / "single_transformer_blocks" / i);
  }
}

/// [b, width], behind the activation that every modulation reads it through.
Value Flux1Transformer::condition(Graph& graph, const Flux1Inputs& inputs) const {
  const std::string path = path_ + ".time_text_embed";
  const auto embedded = [&](const TimestepMlp& mlp, Value t) {
    graph.set_path(path);
    return mlp(timestep_embedding(t, kFlux1TimeChannels, activations_));
  };
  Value sum = embedded(time_, inputs.timesteps);
  if (guidance_) {
    graph.set_path(path);
    const Value scaled = scale(inputs.guidance, kFlux1GuidanceUnit);
    const Value guidance = embedded(*guidance_, scaled);
    graph.set_path(path);
    sum = add(sum, guidance);
  }
  graph.set_path(path);
  const Value pooled = pooled_(cast(inputs.pooled, activations_));
  graph.set_path(path);
  return silu(add(sum, pooled));
}

Value Flux1Transformer::exit(Value x, Value condition) const {
  const Value all = exit_modulation_(condition);
  x.graph().set_path(path_ + ".norm_out");
  const std::vector<Value> m = split_channels(all, 2);  // scale, then shift
  return exit_(flux1_normed(x, m[1], m[0]));
}

void Flux1Transformer::check_inputs(Value latents, const Flux1Inputs& inputs) const {
  check_transformer_inputs("flux1", latents, inputs.text, config_.latent_channels(),
                           config_.context_channels, kFlux1Patch);
  const Shape pooled = inputs.pooled.shape();
  check_op(
      pooled.rank() == 2 && pooled[0] == latents.shape()[0] && pooled[1] == config_.pooled_channels,
      "flux1", inputs.pooled, [&] {
        return "the pooled text must be [batch, " + std::to_string(config_.pooled_channels) +
               "]; got " + describe(inputs.pooled);
      });
  for (const Value reference : inputs.references) {
    check_transformer_inputs("flux1", reference, inputs.text, config_.latent_channels(),
                             config_.context_channels, kFlux1Patch);
  }
  check_op(static_cast<bool>(inputs.guidance) == config_.guidance, "flux1", latents,
           config_.guidance ? "the model takes a guidance scale" : "the model takes no guidance");
}

Value Flux1Transformer::forward(Graph& graph, Value latents, const Flux1Inputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Flux1Attended to{cast(inputs.cos, statistics_), cast(inputs.sin, statistics_), {}};
  const Value c = condition(graph, inputs);
  const auto modulation = [&](const Linear& linear, const std::string& path, int parts) {
    const Value all = linear(c);
    graph.set_path(path);
    return split_channels(all, parts);
  };
  const auto double_block = [&](std::size_t i, const Flux1Streams& x) {
    const Double& d = double_blocks_[i];
    const Flux1Modulation image = modulation(d.image, d.block.path(), 6);
    return d.block(x, image, modulation(d.text, d.block.path(), 6), to);
  };
  const auto single_block = [&](std::size_t i, Value x) {
    const Single& single = single_blocks_[i];
    return single.block(x, modulation(single.modulation, single.block.path(), 3), to);
  };
  return flux1_forward(path_, activations_, latents, inputs.text,
                       {.entry = entry_,
                        .text_entry = text_entry_,
                        .double_blocks = double_blocks_.size(),
                        .single_blocks = single_blocks_.size(),
                        .double_block = double_block,
                        .single_block = single_block,
                        .exit = [&](Value x) { return exit(x, c); }},
                       inputs.references);
}

RotaryTables flux1_positions(std::int64_t tokens, LatentSize image, const Flux1Config& config,
                             std::span<const LatentSize> references) {
  return flux1_rotation(tokens, image, config.axes_dims, references);
}

}  // namespace mantissa
