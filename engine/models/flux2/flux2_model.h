#pragma once

#include <optional>

#include "engine/models/flux2/flux2.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// μ of Flux2KleinPipeline's sampling schedule: linear in the image's tokens for 10 and for 200
/// steps, and between these linear in the steps; from 4300 tokens on as for 200 steps.
double flux2_sampling_mu(double tokens, int steps);

/// FLUX.2 klein, base and distilled: a transformer conditioned on three hidden states of one Qwen3.
class Flux2Model final : public TransformerModel<Qwen3Reader, Flux2Transformer, Flux2Config> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match, or if the text encoder has too few layers.
  Flux2Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  int latent_multiple() const override { return 1; }
  /// 512, as in the pipeline: of a prompt in its chat template, with its padding.
  std::int64_t text_tokens() const override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// In Qwen3's chat template, with thinking skipped: "te1_ids", padded to text_tokens(), and
  /// "te1_length", how many of them are the prompt's.
  TokenIds tokenize(const std::string& caption) override;
  /// "context": Flux2Inputs::text.
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
  std::optional<Thinking> chat() const override { return Thinking::skipped; }
  std::vector<int> text_states() const override;
};

}  // namespace mantissa
