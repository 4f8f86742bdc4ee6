#pragma once

#include <memory>
#include <optional>

#include "engine/io/t5_tokenizer.h"
#include "engine/models/anima/anima.h"
#include "engine/models/anima/anima_text.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// Anima: Cosmos-Predict2's transformer conditioned on a Qwen3 (te1) through a text conditioner
/// (te2).
class AnimaModel final : public TransformerModel<Qwen3Reader, AnimaTransformer, AnimaConfig> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  AnimaModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  AnimaTextConditioner& te2();

  int latent_multiple() const override { return config().patch_size; }
  int patch_size() const override { return config().patch_size; }
  std::int64_t text_tokens() const override { return kAnimaTokens; }
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// The caption as it is, in the ids of both tokenizers: "te1_ids" and "te2_ids", padded to
  /// text_tokens(), and how many of them are the caption's, "te1_length" and "te2_length".
  TokenIds tokenize(const std::string& caption) override;
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  /// "context": AnimaInputs::text.
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
  std::vector<int> text_states() const override { return {text_config().layers}; }
  void check_text() const;
  const T5Tokenizer& own_t5_tokenizer();
  /// T5's tokenizer with the words of the text options.
  T5Tokenizer t5_tokenizer();

  AnimaTextConfig conditioner_config_;
  std::unique_ptr<AnimaTextConditioner> te2_;
  std::optional<T5Tokenizer> t5_tokenizer_;
};

}  // namespace mantissa
