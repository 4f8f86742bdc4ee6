#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/qwen_image21/qwen_image21_config.h"
#include "engine/models/qwen_image21/qwen_image21_sequence.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A Qwen-Image-2.1 transformer's inputs apart from the noised latents.
struct QwenImage21Inputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value text;       ///< [b, tokens, context channels], padded behind
  Value keys;       ///< [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey
  Value lengths;    ///< [b] fp32: how many tokens are no padding
  /// [b, tokens + references + latents, head_dim/2] fp32: see qwen_image21_positions.
  Value cos, sin;
  std::vector<Value> references{};     ///< [b, h, w, in] each, without noise
  std::vector<std::int64_t> places{};  ///< tokens of the text before each, ascending
  Value order{};  ///< [1, tokens, tokens + references] fp32: see qwen_image21_order; with some only
};

/// The transformer of Qwen-Image-2.1 at any width (github.com/QwenLM/Qwen-Image-2.1), diffusers
/// names. One stream of text and image; text attends to what is before it, the image to all, and a
/// reference image among the text to itself and what is before it. One modulation of the timestep
/// serves every block, for text and references at time 0.
class QwenImage21Transformer {
 public:
  QwenImage21Transformer(const QwenImage21Config& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0.
  Value forward(Graph& graph, Value latents, const QwenImage21Inputs& inputs) const;

  const QwenImage21Config& config() const { return config_; }

 private:
  struct Block {
    std::string path;
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out;
    Projections gate_up;
    Linear down;
    Block(const QwenImage21Config& config, const Scope& scope);
  };
  /// Scale and gate of attention, then of the feed-forward: [b, width] each, or [1, width].
  struct Modulation {
    Value scale1, gate1, scale2, gate2;
  };
  struct Times {
    Modulation image, text;
    Value exit;  ///< [b, width], of the image
  };
  /// The text with the references in their places, and the image.
  struct Streams {
    Value text, image;
  };
  struct Attended {
    ReferenceSequence sequence;
    Value cos, sin;
    Value keys;   ///< [b, sequence + latents]
    Value order;  ///< QwenImage21Inputs::order
  };

  Times times(Value timesteps) const;
  Value text_entry(Value text) const;
  /// The inputs' tables with the image's frames in them.
  Attended attended(const QwenImage21Inputs& inputs, std::int64_t latents) const;
  Value prefix(const QwenImage21Inputs& inputs, const ReferenceSequence& sequence) const;
  Value normed(Value x, Value scale) const;
  Value attend(const Block& block, Value x, const Attended& to) const;
  Streams run_block(const Block& block, Streams x, const Times& time, const Attended& to) const;
  void check_inputs(Value latents, const QwenImage21Inputs& inputs) const;

  QwenImage21Config config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_;
  RmsNorm text_norm_;
  Linear text1_, text2_;
  TimestepMlp time_;
  Linear modulation_;
  std::vector<Block> blocks_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
