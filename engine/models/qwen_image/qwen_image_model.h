#pragma once

#include <optional>

#include "engine/models/qwen3/qwen3_conditioned.h"
#include "engine/models/qwen_image/qwen_image.h"
#include "engine/models/vae/qwen_vae.h"

namespace mantissa {

/// Qwen-Image: a transformer conditioned on what a Qwen2.5-VL makes of a prompt.
class QwenImageModel final : public Qwen3Conditioned<QwenImageTransformer, QwenImageConfig> {
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
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  std::vector<int> text_states() const override { return {text_config().layers}; }
  std::unique_ptr<Autoencoder> make_vae() override;
  /// Leading tokens whose states aren't passed on.
  int dropped_tokens();

  std::optional<QwenVaeConfig> vae_;
};

}  // namespace mantissa
