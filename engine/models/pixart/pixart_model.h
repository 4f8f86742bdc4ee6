#pragma once

#include <memory>
#include <optional>

#include "engine/io/t5_tokenizer.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/pixart/pixart.h"
#include "engine/models/t5/t5.h"

namespace mantissa {

/// PixArt-alpha and PixArt-Sigma: a transformer conditioned on one T5.
class PixartModel final : public DiffusionModel {
 public:
  /// Throws Error if the text encoder's width doesn't match the transformer's input.
  PixartModel(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
              const PrecisionRules& rules = {});

  const PixartConfig& config() const { return config_; }
  /// Only if has(kTe1).
  const T5Config& text_config() const { return text_config_; }
  PixartTransformer& transformer();
  T5Encoder& te1();

  int latent_multiple() const override { return config_.patch_size; }
  int patch_size() const override { return config_.patch_size; }
  int native_side() const override { return config_.sample_size; }
  /// 120 for PixArt-alpha, 300 for Sigma.
  std::int64_t text_tokens() const override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// Lowercase and trimmed, as in PixArt's training.
  TokenIds tokenize(const std::string& caption) override;
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The noise prediction, without the transformer's variance prediction.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  void bind_part(Part part) override;
  void drop_part(Part part) override;
  /// Read on first use.
  const T5Tokenizer& own_tokenizer();
  /// The tokenizer with the words of the text options.
  T5Tokenizer tokenizer();

  PixartConfig config_;
  T5Config text_config_;
  std::unique_ptr<PixartTransformer> transformer_;
  std::unique_ptr<T5Encoder> te1_;
  std::optional<T5Tokenizer> tokenizer_;
};

}  // namespace mantissa
