#pragma once

#include <optional>

#include "engine/models/krea2/krea2.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/qwen3/reference_sequence.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// Krea 2: a transformer conditioned on several hidden states of one Qwen3-VL, twelve in the
/// released model.
class Krea2Model final : public TransformerModel<Qwen3Reader, Krea2Transformer, Krea2Config> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match, or if the text encoder has too few layers.
  Krea2Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  int latent_multiple() const override { return Krea2Config::kPatch; }
  int patch_size() const override { return Krea2Config::kPatch; }
  /// Behind the instruction to describe an image, which isn't passed on, in multiples of 32: at
  /// most 512, and room for what the vision tower makes of TextOptions::references.
  std::int64_t text_tokens() const override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  std::int64_t tokens_needed(const std::string& caption) override;
  /// "te1_ids" and "te1_real", 1 for a token and 0 for padding: of description_prompt_tokens.
  TokenIds tokenize(const std::string& caption) override;
  /// "context" and "mask": Krea2Inputs::text and keys.
  std::string text_layout() const override;
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The prompt behind its references, which the vision tower shows to the text encoder in a size
  /// of their own. All states are passed on, those of the references too.
  bool text_sees_references() const override { return true; }
  TokenIds tokenize_beside(const std::string& caption, std::size_t references) override;
  TextValues encode_text_beside(Graph& graph, std::int64_t tokens,
                                std::span<const LatentSize> references) override;
  void feed_tokens_beside(Executor& executor, const TokenIds& text,
                          std::span<const Image> references) override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  Value predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                     std::span<const Value> references) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  std::vector<int> text_states() const override { return states_; }
  /// Leading tokens whose states aren't passed on.
  int dropped_tokens();
  /// Tokens of texts that are left to references.
  std::int64_t seen_tokens() const;
  PromptTokens prompt_of(const std::string& caption, int length, std::size_t references);
  /// A text of `tokens` that are passed on with these references in it, and the instruction.
  ReferenceSequence encoded_sequence(std::int64_t tokens, std::span<const LatentSize> references);

  std::vector<int> states_;
};

}  // namespace mantissa
