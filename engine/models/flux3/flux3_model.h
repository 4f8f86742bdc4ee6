#pragma once

#include <optional>

#include "engine/models/flux3/flux3.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// FLUX.3 Image klein Base: a transformer conditioned on eight hidden states of one Qwen3-VL.
class Flux3Model final : public TransformerModel<Qwen3Reader, Flux3Transformer, Flux3Config> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match, or if the text encoder has too few layers.
  Flux3Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  int latent_multiple() const override { return 1; }
  /// The longest caption's window, at most 560: windows are multiples of 80.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// In Qwen3's chat template: "te1_ids" and "te1_real", 1 for a token and 0 for padding, both
  /// padded to text_tokens().
  TokenIds tokenize(const std::string& caption) override;
  /// "context" and "mask": Flux3Inputs::text and keys.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override {
    return predict_edit(graph, noised, timesteps, text, {});
  }
  Value predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                     std::span<const Value> references) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  std::optional<Thinking> chat() const override { return Thinking::allowed; }
  std::vector<int> text_states() const override;
  /// With the blocks of references only where the run has some (TextOptions::references).
  std::unique_ptr<Flux3Transformer> make_transformer() override;
};

}  // namespace mantissa
