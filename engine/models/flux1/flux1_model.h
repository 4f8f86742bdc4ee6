#pragma once

#include <memory>
#include <optional>

#include "engine/io/t5_tokenizer.h"
#include "engine/io/tokenizer.h"
#include "engine/models/clip/clip_text.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/flux1/flux1.h"
#include "engine/models/t5/t5.h"

namespace mantissa {

/// FLUX.1 dev, schnell and models of their kind: a transformer conditioned on a T5's states (te2)
/// and on a CLIP's pooled vector (te1).
class Flux1Model final : public DiffusionModel {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  Flux1Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  const Flux1Config& config() const { return config_; }
  Flux1Transformer& transformer();
  ClipText& te1();
  T5Encoder& te2();

  int latent_multiple() const override { return Flux1Config::kPatch; }
  int patch_size() const override { return Flux1Config::kPatch; }
  int native_side() const override;
  bool takes_guidance() const override { return config_.guidance; }
  /// Tokens of T5: 512, or 256 without guidance (schnell), as in the authors' code; padding is read
  /// too.
  std::int64_t text_tokens() const override;
  /// Reach of T5 alone: CLIP gives one vector of the beginning.
  std::vector<TextReach> text_reach(const std::string& caption) override;
  /// "te1_ids" [77] and "te1_pool" [1], where its text ends; "te2_ids" [text_tokens()].
  TokenIds tokenize(const std::string& caption) override;
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;
  /// "context" and "pooled": Flux1Inputs::text and pooled.
  std::map<std::string, Shape> text_shapes(std::int64_t tokens) const override;
  TextValues encode_text(Graph& graph, std::int64_t batch, std::int64_t tokens) override;
  void feed_tokens(Executor& executor, std::span<const TokenIds> batch) const override;
  /// The flow from image to noise.
  Value predict(Graph& graph, Value noised, Value timesteps, const TextValues& text) override {
    return predict_edit(graph, noised, timesteps, text, {});
  }
  Value predict_edit(Graph& graph, Value noised, Value timesteps, const TextValues& text,
                     std::span<const Value> references) override;
  void feed_sizes(Executor& executor, std::span<const float> time_ids, std::int64_t height,
                  std::int64_t width) const override;

 private:
  void bind_part(Part part) override;
  void drop_part(Part part) override;
  void require_text_widths() const;
  /// The model's own, else the table that ships with the program.
  const ClipTokenizer& own_clip_tokenizer();
  /// Read on first use. Throws Error if the model has none.
  const T5Tokenizer& own_t5_tokenizer();
  /// These with the words of the text options.
  ClipTokenizer clip_tokenizer();
  T5Tokenizer t5_tokenizer();

  Flux1Config config_;
  ClipConfig clip_config_;
  T5Config t5_config_;
  std::unique_ptr<Flux1Transformer> transformer_;
  std::unique_ptr<ClipText> te1_;
  std::unique_ptr<T5Encoder> te2_;
  std::optional<ClipTokenizer> clip_tokenizer_;
  std::optional<T5Tokenizer> t5_tokenizer_;
};

}  // namespace mantissa
