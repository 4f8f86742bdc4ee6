#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/z_image/z_image_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/projections.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// Where the model's times end. Subtracted from it before anything is scaled, a timestep keeps its
/// digits.
inline constexpr float kZImageTimes = 1000.0F;

/// Tokens of the image and of the caption each come in multiples of this.
inline constexpr std::int64_t kZImageTokens = 32;
/// `tokens`, rounded up to that.
constexpr std::int64_t z_image_sequence(std::int64_t tokens) {
  return (tokens + kZImageTokens - 1) / kZImageTokens * kZImageTokens;
}

/// A Z-Image transformer's inputs apart from the noised latents. `patches` are the image's tokens,
/// rounded up to a multiple of 32; `tokens` is a multiple of 32 too.
///
/// Captions of any lengths share one graph: `layout` says which tokens are the caption's own, which
/// pad it to the next multiple of 32 (a learned vector, attended to like any other token), and
/// which follow that: nothing attends to these. Positions count from the end of the caption, which
/// is where the image begins: RoPE depends on differences alone, so those of the reference, which
/// count from the caption's start, give the same. Every sample gets the values that it would alone.
struct ZImageInputs {
  Value times;   ///< [b] fp32, kZImageTimes for the image to 0 for pure noise
  Value text;    ///< [b, tokens, caption channels], 0 outside of the captions' own tokens
  Value layout;  ///< [b, tokens, 2] fp32: (1, 0) own, (0, 1) padding, (0, 0) ignored
  /// See ZImagePositions: [2, n], [b, n, 2], [3, pairs], fp32.
  Value order, grid, frequencies;
};

/// ZImageInputs::times of timesteps [b], which count noise from 0 to kZImageTimes.
Value z_image_times(Graph& graph, Value timesteps);

/// ZImageInputs::layout of a caption of `length` own tokens: [tokens, 2].
std::vector<float> z_image_layout(std::int64_t length, std::int64_t tokens);

/// Where the tokens of an image and of its caption lie, in that order.
struct ZImagePositions {
  /// [2, n]: the position on the first axis is order[0]·length + order[1] for a caption that is
  /// `length` tokens long with its padding.
  std::vector<float> order;
  std::vector<float> grid;  ///< [n, 2]: row and column
  std::vector<float>
      frequencies;  ///< [3, pairs]: how fast each pair of channels turns on each axis
};
/// For latents of this size. Throws Error if the model has no such position.
ZImagePositions z_image_positions(std::int64_t height, std::int64_t width, std::int64_t tokens,
                                  const ZImageConfig& config);

/// The transformer of Z-Image at any width (Z-Image Team, arXiv 2511.22699), diffusers names.
class ZImageTransformer {
 public:
  ZImageTransformer(const ZImageConfig& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32; h and w multiples of the patch size) -> the same shape: the
  /// direction from noise to image, x0 - noise.
  Value forward(Graph& graph, Value latents, const ZImageInputs& inputs) const;

  const ZImageConfig& config() const { return config_; }

 private:
  struct Block {
    std::string path;
    Projections qkv;
    RmsNorm norm_q, norm_k;
    Linear out;
    RmsNorm attention_norm1, attention_norm2, ffn_norm1, ffn_norm2;
    Projections gate_and_value;
    Linear feed_out;
    std::optional<Linear> modulation;
    Block(const ZImageConfig& config, const Scope& scope, bool modulated);
  };
  /// What a block's attention depends on, apart from its tokens.
  struct Sequence {
    Value cos, sin;  ///< [b, tokens, pairs]
    Value mask;      ///< [b, tokens], or absent
  };
  struct Rotations {
    Sequence image, text, both;
  };
  Rotations rotations(Graph& graph, const ZImageInputs& inputs, std::int64_t patches) const;
  Value condition(Graph& graph, Value times) const;
  Value image_tokens(Graph& graph, Value latents, std::int64_t patches) const;
  Value text_tokens(Graph& graph, const ZImageInputs& inputs) const;
  Value attend(const Block& block, Value x, const Sequence& sequence) const;
  Value run_block(const Block& block, Value x, const Sequence& sequence, Value condition) const;
  Value exit(Graph& graph, Value x, Value condition, const Shape& latents) const;

  ZImageConfig config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_;
  Linear time1_, time2_;
  RmsNorm caption_norm_;
  Linear caption_;
  Tensor* caption_bias_;
  Tensor *image_pad_, *caption_pad_;  ///< [1, width]
  std::vector<Block> noise_refiner_, context_refiner_, layers_;
  Linear scale_, exit_;
};

}  // namespace mantissa
