#pragma once

#include <memory>
#include <optional>

#include "engine/io/tokenizer.h"
#include "engine/models/clip/clip_text.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/stable_diffusion/unet.h"

namespace mantissa {

/// SDXL: a UNet conditioned on two CLIP text encoders; SD 1.5 and 2.x: on one, without sizes.
class StableDiffusion final : public DiffusionModel {
 public:
  /// Throws Error if the configs don't fit together (context and pooled widths).
  StableDiffusion(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
                  const PrecisionRules& rules = {});

  const UnetConfig& unet_config() const { return unet_config_; }
  /// Only if has(kTe2).
  const ClipConfig& te2_config() const { return te2_config_; }

  Unet& unet();
  ClipText& te1();
  ClipText& te2();

  int latent_multiple() const override { return 1 << (unet_config_.levels() - 1); }
  int native_side() const override { return unet_config_.sample_size; }
  int clip_layers() const override;
  std::int64_t text_tokens() const override;
  std::vector<TextReach> text_reach(const std::string& caption) override;
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  TokenIds tokenize(const std::string& caption) override;
  int chunks_needed(const std::string& caption) override;
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  bool two_encoders() const { return family().part(kTe2) != nullptr; }
  /// Tokens that the encoders read at a time: 77.
  int chunk_length() const;
  ClipTake take() const;
  Value rejoined(Value hidden, std::int64_t batch) const;
  ClipText& text(Part part, std::unique_ptr<ClipText>& slot, const ClipConfig& config);
  void bind_part(Part part) override;
  void drop_part(Part part) override;
  /// The model's own tokenizer if it has one, else the built-in table.
  const ClipTokenizer& tokenizer(Part part, std::optional<ClipTokenizer>& slot,
                                 const ClipConfig& config);
  /// The tokenizer with the words of the text options.
  ClipTokenizer reader(Part part, std::optional<ClipTokenizer>& slot, const ClipConfig& config);

  UnetConfig unet_config_;
  ClipConfig te1_config_, te2_config_;
  std::unique_ptr<Unet> unet_;
  std::unique_ptr<ClipText> te1_, te2_;
  std::optional<ClipTokenizer> tokenizer1_, tokenizer2_;
};

}  // namespace mantissa
