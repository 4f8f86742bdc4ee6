#pragma once

#include <memory>
#include <optional>

#include "engine/io/bpe_tokenizer.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/z_image/z_image.h"

namespace mantissa {

/// Z-Image, base and Turbo: a transformer conditioned on one Qwen3, with the latents of FLUX.1.
class ZImageModel final : public DiffusionModel {
 public:
  /// Throws Error if the text encoder's width doesn't match the transformer's input.
  ZImageModel(Kernels& kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});
  static ZImageModel planning(const WeightSource& source, AdapterSet* adapters = nullptr,
                              const PrecisionRules& rules = {});

  const ZImageConfig& config() const { return config_; }
  /// Only if has(kTe1).
  const Qwen3Config& text_config() const { return text_config_; }
  ZImageTransformer& transformer();
  Qwen3Text& te1();

  int latent_multiple() const override { return config_.patch_size; }
  int patch_size() const override { return config_.patch_size; }
  int native_side() const override;
  /// 512, as in the pipeline: of a prompt in its chat template.
  std::int64_t text_tokens() const override;
  /// In Qwen3's chat template, with thinking allowed: "te1_ids", padded to text_tokens(), and
  /// "te1_length", how many of them are the prompt's.
  TokenIds tokenize(const std::string& caption) override;
  /// "context" and "layout": ZImageInputs::text and layout.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise: the transformer's output, negated.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  ZImageModel(WeightStore weights, const WeightSource& source, AdapterSet* adapters,
              Kernels* kernels, const PrecisionRules& rules);
  void bind_part(Part part) override;
  void drop_part(Part part) override;

  ZImageConfig config_;
  Qwen3Config text_config_;
  std::unique_ptr<ZImageTransformer> transformer_;
  std::unique_ptr<Qwen3Text> te1_;
  std::optional<BpeTokenizer> tokenizer_;
};

}  // namespace mantissa
