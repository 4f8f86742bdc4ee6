#pragma once

#include <optional>

#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen25_vision.h"
#include "engine/models/qwen3/qwen25_vision_inputs.h"
#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/qwen_image/qwen_image.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// Qwen-Image: a transformer conditioned on what a Qwen2.5-VL makes of a prompt.
class QwenImageModel final
    : public TransformerModel<Qwen3Reader, QwenImageTransformer, QwenImageConfig> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  QwenImageModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
                 const PrecisionRules& rules = {});

  int latent_multiple() const override { return kFlux1Patch; }
  int patch_size() const override { return kFlux1Patch; }
  bool guidance_keeps_norms() const override { return true; }
  /// Behind the instruction to describe an image, which isn't passed on, in multiples of 32: at
  /// most 1024.
  std::int64_t text_tokens() const override;
  std::int64_t tokens_needed(const std::string& caption) override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// "te1_ids" and "te1_real", 1 for a token and 0 for padding: of qwen_image_prompt_tokens.
  TokenIds tokenize(const std::string& caption) override;
  /// "context" and "mask": QwenImageInputs::text and keys.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// Qwen-Image-Edit reads one, later models several.
  std::size_t most_references() const override;
  int reference_multiple() const override { return 32; }
  /// Qwen-Image-Edit shows a reference to the text encoder as it is encoded, later models smaller.
  std::int64_t seen_pixels() const override;
  std::string text_layout() const override;
  /// The prompt behind its references, each of which the vision tower shows to the text encoder.
  /// All of the encoder's states behind the instruction are passed on.
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
  void bind_tower() override { windowed_vision(); }
  void drop_tower() override { vision_.reset(); }
  /// Qwen2.5-VL's tower. Throws Error naming what is missing if the text encoder has none.
  Qwen25Vision& windowed_vision();
  /// Leading tokens whose states aren't passed on.
  int dropped_tokens();
  /// A text with references in it.
  struct SeenText {
    int dropped = 0;                   ///< leading tokens whose states aren't passed on
    std::int64_t words = 0;            ///< tokens of the text, without those of references
    std::vector<SeenSize> images;      ///< the tokens of each
    std::vector<std::int64_t> places;  ///< words before each
    std::int64_t seen() const;         ///< tokens of all references
  };
  /// Text of which `tokens` are passed on, those of `references` among them.
  SeenText seen_text(std::int64_t tokens, std::span<const LatentSize> references);
  PromptTokens edit_prompt(const std::string& caption, std::int64_t length, std::size_t references);
  /// The most tokens that references beside a text become, of any shape.
  std::int64_t most_seen() const;

  EditImages form_;
  std::optional<Qwen25Vision> vision_;
  mutable std::int64_t most_each_ = 0;  ///< the most tokens of one reference; 0: not known yet
};

}  // namespace mantissa
