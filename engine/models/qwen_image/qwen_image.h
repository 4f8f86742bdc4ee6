#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/flux1/flux1_blocks.h"
#include "engine/models/latent_size.h"
#include "engine/models/qwen_image/qwen_image_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A Qwen-Image transformer's inputs apart from the noised latents.
struct QwenImageInputs {
  Value timesteps;  ///< [b] fp32, 0 to 1000 for pure noise
  Value text;       ///< [b, tokens, context channels], padded behind
  Value keys;       ///< [b, tokens] fp32, added to the scores of each: 0, or kMaskedKey
  /// [1, tokens + h/2·w/2 + those of references, head_dim/2] fp32: see qwen_image_positions
  Value cos, sin;
  std::vector<Value> references{};  ///< [b, h, w, in/4] each, without noise
};

/// RoPE tables of a text of `tokens`, followed by an image of latents in tokens of 2 x 2 and by
/// references. Rows and columns are counted from each image's centre, and its number is its frame;
/// the text has the same position on all axes, beginning beyond the largest of any image.
RotaryTables qwen_image_positions(std::int64_t tokens, LatentSize image,
                                  const QwenImageConfig& config,
                                  std::span<const LatentSize> references = {});

/// The transformer of Qwen-Image at any width (arXiv 2508.02324), diffusers names: FLUX.1's double
/// blocks alone, each with its own modulation of the time. References are more tokens of the
/// image's stream; those of Qwen-Image-Edit-2511 are modulated as at time 0.
class QwenImageTransformer {
 public:
  QwenImageTransformer(const QwenImageConfig& config, const Scope& scope);

  /// latents [b, h, w, in/4] (NHWC, fp32; even sides) -> the same shape: the flow from image to
  /// noise, noise - x0.
  Value forward(Graph& graph, Value latents, const QwenImageInputs& inputs) const;

  const QwenImageConfig& config() const { return config_; }

 private:
  struct Block {
    Flux1DoubleBlock block;
    Linear image, text;  ///< modulations
    Block(const Flux1Widths& widths, const Scope& scope);
  };
  Flux1Attended attended(Graph& graph, Value latents, const QwenImageInputs& inputs) const;
  Value times(const QwenImageInputs& inputs) const;
  bool still(const QwenImageInputs& inputs) const;
  Value exit(Value x, Value time) const;
  void check_inputs(Value latents, const QwenImageInputs& inputs) const;

  QwenImageConfig config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_;
  RmsNorm text_norm_;
  Linear text_entry_;
  TimestepMlp time_;
  std::vector<Block> blocks_;
  Linear exit_modulation_, exit_;
};

}  // namespace mantissa
