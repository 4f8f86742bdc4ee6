#pragma once

#include <optional>

#include "engine/models/ernie_image/ernie_image.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// ERNIE-Image: a transformer conditioned on what a Ministral 3 makes of a prompt, with FLUX.2's
/// latents.
class ErnieImageModel final
    : public TransformerModel<Qwen3Reader, ErnieImageTransformer, ErnieImageConfig> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match, or if the text encoder has a single layer.
  ErnieImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
                  const PrecisionRules& rules = {});

  int latent_multiple() const override { return 1; }
  /// At most 1024, in multiples of 32.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// The caption itself behind the token that begins every text: "te1_ids", padded to
  /// text_tokens(), and "te1_length", how many of them are the text's.
  TokenIds tokenize(const std::string& caption) override;
  /// "context", "mask" and "place": ErnieImageInputs::text, keys and place.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  /// The last state but one, as in the pipeline.
  std::vector<int> text_states() const override { return {text_config().layers - 1}; }
  BpeTokenizer read_tokenizer() const override;
  std::vector<std::int32_t> ids_of(const std::string& caption, std::int64_t most);
};

}  // namespace mantissa
