#pragma once

#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/transformer_model.h"
#include "engine/models/z_image/z_image.h"

namespace mantissa {

/// Z-Image, base and Turbo: a transformer conditioned on one Qwen3, with the latents of FLUX.1.
class ZImageModel final : public TransformerModel<Qwen3Reader, ZImageTransformer, ZImageConfig> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the text encoder's width
  /// doesn't match the transformer's input.
  ZImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});

  int latent_multiple() const override { return config().patch_size; }
  int patch_size() const override { return config().patch_size; }
  /// Tokens of a prompt in its chat template, in multiples of 32: at most 512, as in the pipeline.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// In Qwen3's chat template, with thinking allowed: "te1_ids", padded to text_tokens(), and
  /// "te1_length", how many of them are the prompt's.
  TokenIds tokenize(const std::string& caption) override;
  /// "context" and "layout": ZImageInputs::text and layout.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise: the transformer's output, negated.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  std::int64_t most_tokens() const;
  /// hidden_states[-2].
  std::optional<Thinking> chat() const override { return Thinking::allowed; }
  std::vector<int> text_states() const override { return {text_config().layers - 1}; }
};

}  // namespace mantissa
