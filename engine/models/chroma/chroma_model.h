#pragma once

#include "engine/models/chroma/chroma.h"
#include "engine/models/t5/t5_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// Chroma: a transformer conditioned on the states of one T5, of whose padding it reads one token.
class ChromaModel final : public TransformerModel<T5Reader, ChromaTransformer, ChromaConfig> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  ChromaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});

  int latent_multiple() const override { return kFlux1Patch; }
  int patch_size() const override { return kFlux1Patch; }
  /// 512 at most.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  /// "context" and "mask": ChromaInputs::text and keys.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  std::int64_t most_tokens() const override;
};

}  // namespace mantissa
