#include "engine/models/chroma/chroma.h"

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/models/flux1/flux1_forward.h"
#include "engine/models/transformer_inputs.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr int kInSingle = 3, kInDouble = 6, kAtExit = 2;

/// Where the modulations of each block begin: those of single blocks come first, then the images'
/// of double blocks, their texts', the exit's.
struct ChromaOrder {
  int singles, doubles;
  int single(std::size_t block) const { return kInSingle * static_cast<int>(block); }
  int image(std::size_t block) const {
    return kInSingle * singles + kInDouble * static_cast<int>(block);
  }
  int text(std::size_t block) const { return image(block) + kInDouble * doubles; }
  int exit() const { return kInSingle * singles + 2 * kInDouble * doubles; }
};

/// `count` of all modulations [b, modulations, width].
Flux1Modulation chroma_modulation(Value all, int begin, int count) {
  const Shape s = all.shape();
  return split_channels(reshape(take_tokens(all, begin, count), {s[0], count * s[2]}), count);
}

}  // namespace

ChromaTransformer::ChromaTransformer(const ChromaConfig& c, const Scope& scope)
    : config_(c),
      path_(scope.path()),
      activations_(scope.activations()),
      statistics_(scope.border()),
      entry_(scope / "x_embedder", c.in_channels, c.width()),
      text_entry_(scope / "context_embedder", c.context_channels, c.width()),
      approximator_(c, scope / "distilled_guidance_layer"),
      exit_(scope / "proj_out", c.width(), c.in_channels) {
  for (int i = 0; i < c.double_blocks; ++i) {
    double_blocks_.emplace_back(c.widths(), scope / "transformer_blocks" / i);
  }
  for (int i = 0; i < c.single_blocks; ++i) {
    single_blocks_.emplace_back(c.widths(), scope / "single_transformer_blocks" / i);
  }
}

void ChromaTransformer::check_inputs(Value latents, const ChromaInputs& inputs) const {
  check_transformer_inputs("chroma", latents, inputs.text, config_.latent_channels(),
                           config_.context_channels, kFlux1Patch);
  const Shape text = inputs.text.shape();
  check_op(inputs.keys.shape() == (Shape{text[0], text[1]}), "chroma", inputs.keys,
           [&] { return "the mask must be [batch, tokens]; got " + describe(inputs.keys); });
  check_op(inputs.numbers.shape() ==
               (Shape{text[0], config_.modulations(), config_.approximator_channels}),
           "chroma", inputs.numbers, [&] {
             return "the modulations' numbers must be [batch, " +
                    std::to_string(config_.modulations()) + ", " +
                    std::to_string(config_.approximator_channels) + "]; got " +
                    describe(inputs.numbers);
           });
}

Flux1Attended ChromaTransformer::attended(Graph& graph, Value latents,
                                          const ChromaInputs& inputs) const {
  const Shape s = latents.shape();
  const std::int64_t patches = (s[1] / kFlux1Patch) * (s[2] / kFlux1Patch);
  const Value image = constant(graph, statistics_, {s[0], patches}, 0.0F);
  return {cast(inputs.cos, statistics_), cast(inputs.sin, statistics_),
          concat_channels(cast(inputs.keys, statistics_), image)};
}

Value ChromaTransformer::forward(Graph& graph, Value latents, const ChromaInputs& inputs) const {
  graph.set_path(path_);
  check_inputs(latents, inputs);
  const Flux1Attended to = attended(graph, latents, inputs);
  const Value all = approximator_(inputs.timesteps, inputs.numbers);
  const ChromaOrder order{config_.single_blocks, config_.double_blocks};
  const auto modulation = [&](const std::string& path, int begin, int count) {
    graph.set_path(path);
    return chroma_modulation(all, begin, count);
  };
  const auto double_block = [&](std::size_t i, const Flux1Streams& x) {
    const Flux1DoubleBlock& block = double_blocks_[i];
    const Flux1Modulation image = modulation(block.path(), order.image(i), kInDouble);
    return block(x, image, modulation(block.path(), order.text(i), kInDouble), to);
  };
  const auto single_block = [&](std::size_t i, Value x) {
    const Flux1SingleBlock& block = single_blocks_[i];
    return block(x, modulation(block.path(), order.single(i), kInSingle), to);
  };
  const auto exit = [&](Value x) {
    const Flux1Modulation m = modulation(path_, order.exit(), kAtExit);  // shift, then scale
    return exit_(flux1_normed(x, m[0], m[1]));
  };
  return flux1_forward(path_, activations_, latents, inputs.text,
                       {.entry = entry_,
                        .text_entry = text_entry_,
                        .double_blocks = double_blocks_.size(),
                        .single_blocks = single_blocks_.size(),
                        .double_block = double_block,
                        .single_block = single_block,
                        .exit = exit});
}

}  // namespace mantissa
