#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/anima/anima_attention.h"
#include "engine/models/anima/anima_config.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/rotary.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// The transformer's inputs apart from the noised latents.
struct AnimaInputs {
  Value times;  ///< [b] fp32, 0 to 1 for pure noise
  /// [b, tokens, text channels]. Every token is attended to, the zeros behind a text too: the model
  /// was trained that way.
  Value text;
  AnimaRotation rotation;  ///< [1, patches, head_dim/2] fp32: see anima_positions
};

/// RoPE of an image of height·width latents: positions (frame, row, column) are (0, y, x).
/// Throws Error if a side has more patches than the model has positions for.
RotaryTables anima_positions(std::int64_t height, std::int64_t width, const AnimaConfig& config);

/// Anima's transformer at any width: Cosmos-Predict2 (arXiv 2503.14492) for single images,
/// diffusers names. Each block attends to the image, then to the text, then feeds forward; shift,
/// scale and gate of each are a low-rank function of the timestep plus one that all blocks share.
class AnimaTransformer {
 public:
  AnimaTransformer(const AnimaConfig& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32) -> the same shape: the flow from image to noise, noise -
  /// x0.
  Value forward(Graph& graph, Value latents, const AnimaInputs& inputs) const;

  const AnimaConfig& config() const { return config_; }

 private:
  /// shift, scale and, inside blocks, gate: up(down(condition)) + what all blocks share.
  struct Modulation {
    std::string path;
    Linear down, up;
    Modulation(const AnimaConfig& config, const Scope& scope, int count);
    std::vector<Value> operator()(Value condition, Value shared) const;
    int count;
  };
  struct Block {
    std::string path;
    Modulation norm1, norm2, norm3;
    AnimaAttention attention, cross_attention;
    Linear feed_in, feed_out;
    Block(const AnimaConfig& config, const Scope& scope);
  };
  struct Condition {
    Value each, shared;  ///< [b, width] of the modulations' input; [b, 3·width] added to them
  };

  Condition condition(Graph& graph, Value times) const;
  Value patches(Graph& graph, Value latents) const;
  Value run_block(const Block& block, Value x, const Condition& c, const AnimaInputs& inputs) const;
  Value exit(Value x, const Condition& c, const Shape& latents) const;
  void check_inputs(Value latents, const AnimaInputs& inputs) const;

  AnimaConfig config_;
  std::string path_;
  DType activations_, statistics_;
  Linear entry_;
  Linear time1_, time2_;
  RmsNorm time_norm_;
  std::vector<Block> blocks_;
  Modulation exit_norm_;
  Linear exit_;
};

}  // namespace mantissa
