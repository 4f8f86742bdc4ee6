#pragma once

#include <optional>

#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/qwen_image21/qwen_image21.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// Qwen-Image-2.1: a transformer conditioned on what the last layer of a Qwen3-VL gives, before the
/// final norm.
class QwenImage21Model final
    : public TransformerModel<Qwen3Reader, QwenImage21Transformer, QwenImage21Config> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  QwenImage21Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
                   const PrecisionRules& rules = {});

  /// The transformer counts latents in squares of 2 x 2, as its text encoder would see them.
  int latent_multiple() const override { return 2; }
  /// Behind the instruction to analyze the prompt, which isn't passed on, in multiples of 32: at
  /// most 1024.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// "te1_ids" and "te1_real", 1 for a token and 0 for padding: of analysis_prompt_tokens.
  TokenIds tokenize(const std::string& caption) override;
  /// "context", "mask" and "length": QwenImage21Inputs::text, keys and lengths.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The prompt behind its references, each of which the vision tower shows to the text encoder. Of
  /// the encoder's states those of the text are passed on: the transformer reads the references
  /// themselves in place of the others.
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
  std::vector<int> text_states() const override { return {text_config().layers}; }
  LastState last_state() const override { return LastState::as_it_is; }
  /// Leading tokens whose states aren't passed on.
  int dropped_tokens();
  /// Tokens of a text before each of so many references, without those.
  std::vector<std::int64_t> places(std::size_t references);
  /// `tokens` that are passed on, those before them and what the tower makes of references.
  ReferenceSequence encoded_sequence(std::int64_t tokens, std::span<const LatentSize> references);
  void feed_lengths(Executor& executor, std::span<const TokenIds> batch) const;

  std::vector<std::int64_t> places_;  ///< of as many references as were asked for
};

}  // namespace mantissa
