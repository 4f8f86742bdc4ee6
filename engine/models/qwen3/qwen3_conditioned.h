#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/io/bpe_tokenizer.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen3/qwen3_vision.h"

namespace mantissa {

enum class DecoderKind { qwen3, qwen2, ministral3 };

/// A model conditioned on hidden states of one Qwen3, or another decoder, te1: the text encoder and
/// its tokenizer.
class Qwen3Reader : public DiffusionModel {
 public:
  /// Only if has(kTe1).
  const Qwen3Config& text_config() const { return text_config_; }
  Qwen3Text& te1();
  std::map<Part, std::vector<std::int32_t>> word_ids(const std::string& text) override;

 protected:
  using DiffusionModel::DiffusionModel;
  /// Call it before anything else here: reads te1's config, if there is one.
  void read_text_config(double usual_theta = kQwen3Theta, DecoderKind kind = DecoderKind::qwen3);
  /// The hidden states that the denoiser gets side by side; the layers behind aren't loaded.
  virtual std::vector<int> text_states() const = 0;
  virtual LastState last_state() const { return LastState::normed; }
  /// Throws Error if the text encoder ends before the last of them.
  void require_text_layers() const;
  /// Throws as above, or if the states don't have the width of the denoiser's input.
  void require_text_states(int width) const;
  /// Whether there is a tokenizer.
  bool reads_text() const { return source().tokenizer_folder(kTe1).has_value(); }
  /// With the words of the text options.
  BpeTokenizer tokenizer();
  /// The base model's own, or Qwen's.
  virtual BpeTokenizer read_tokenizer() const;
  /// How the pipeline's chat template lays out a prompt; empty if it uses none.
  virtual std::optional<Thinking> chat() const { return std::nullopt; }
  /// Text reach of a model with such a template, which is among the `most` tokens that it reads.
  std::vector<TextReach> chat_reach(const std::string& caption, std::int64_t most);
  /// Throws Error naming what is missing if the text encoder has no vision tower.
  void require_tower() const;
  /// Through which a Qwen3-VL that is shown references sees them. Throws as above.
  Qwen3Vision& vision();
  /// The positions that it has learned.
  std::vector<float> vision_places();
  /// Binds and drops the vision tower of a text encoder that is shown references: a Qwen3-VL's,
  /// unless a model has another.
  virtual void bind_tower() { vision(); }
  virtual void drop_tower() { vision_.reset(); }
  static constexpr Part text_part() { return kTe1; }
  void bind_text();
  void drop_text();

 private:
  const BpeTokenizer& own_tokenizer();

  Qwen3Config text_config_;
  std::unique_ptr<Qwen3Text> te1_;
  std::optional<Qwen3Vision> vision_;
  std::optional<BpeTokenizer> tokenizer_;
};

}  // namespace mantissa
