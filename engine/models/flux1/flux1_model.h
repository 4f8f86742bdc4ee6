#pragma once

#include <memory>
#include <optional>

#include "engine/io/tokenizer.h"
#include "engine/models/clip/clip_text.h"
#include "engine/models/flux1/flux1.h"
#include "engine/models/t5/t5_conditioned.h"
#include "engine/models/transformer_model.h"

namespace mantissa {

/// FLUX.1 dev, schnell and models of their kind: a transformer conditioned on a T5's states (te2)
/// and on a CLIP's pooled vector (te1).
class Flux1Model final : public TransformerModel<T5Reader, Flux1Transformer, Flux1Config> {
 public:
  /// Loads no weights without `kernels`: for planning. Throws Error if the parts' widths don't
  /// match.
  Flux1Model(Kernels* kernels, const WeightSource& source, AdapterSet* adapters = nullptr,
             const PrecisionRules& rules = {});

  ClipText& te1();

  int latent_multiple() const override { return Flux1Config::kPatch; }
  int patch_size() const override { return Flux1Config::kPatch; }
  bool takes_guidance() const override { return config().guidance; }
  /// Tokens of T5, as CLIP gives one vector of a text's beginning: 512, or 256 without guidance
  /// (schnell), as in the authors' code; padding is read too.
  std::int64_t text_tokens() const override;
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
  /// The tokenizer with the words of the text options.
  ClipTokenizer clip_tokenizer();

  ClipConfig clip_config_;
  std::unique_ptr<ClipText> te1_;
  std::optional<ClipTokenizer> clip_tokenizer_;
};

}  // namespace mantissa
