#pragma once

#include <memory>
#include <optional>

#include "engine/io/t5_tokenizer.h"
#include "engine/models/chroma/chroma.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/t5/t5.h"

namespace mantissa {

/// Chroma: a transformer conditioned on the states of one T5, of whose padding it reads one token.
class ChromaModel final : public DiffusionModel {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  ChromaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});

  const ChromaConfig& config() const { return config_; }
  ChromaTransformer& transformer();
  T5Encoder& te1();

  int latent_multiple() const override { return kFlux1Patch; }
  int patch_size() const override { return kFlux1Patch; }
  int native_side() const override;
  /// 512 at most.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// "te1_ids" [text_tokens()].
  TokenIds tokenize(const std::string& caption) override;
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  /// "context" and "mask": ChromaInputs::text and keys.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  void bind_part(Part part) override;
  void drop_part(Part part) override;
  /// Read on first use. Throws Error if the model has none.
  const T5Tokenizer& own_tokenizer();
  /// The tokenizer with the words of the text options.
  T5Tokenizer tokenizer();

  ChromaConfig config_;
  T5Config t5_config_;
  std::unique_ptr<ChromaTransformer> transformer_;
  std::unique_ptr<T5Encoder> te1_;
  std::optional<T5Tokenizer> tokenizer_;
};

}  // namespace mantissa
