#pragma once

#include "engine/models/pixart/pixart.h"
#include "engine/models/t5/t5_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// PixArt-alpha and PixArt-Sigma: a transformer conditioned on one T5.
class PixartModel final : public TransformerModel<T5Reader, PixartTransformer, PixartConfig> {
 public:
  /// Throws Error if the text encoder's width doesn't match the transformer's input.
  PixartModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});

  int latent_multiple() const override { return config().patch_size; }
  int patch_size() const override { return config().patch_size; }
  int native_side() const override { return config().sample_size; }
  /// 120 for PixArt-alpha, 300 for Sigma.
  std::int64_t text_tokens() const override;
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The noise prediction, without the transformer's variance prediction.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  /// Lowercase and trimmed.
  std::string prepared(const std::string& caption) const override;
};

}  // namespace mantissa
