#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/qwen3/qwen3_vision_config.h"
#include "engine/models/qwen3/vision_parts.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// What Qwen3Vision reads of one image, in fp32 (qwen3_vision_inputs.h makes it).
struct Qwen3VisionInputs {
  Value patches;    ///< [1, patches, 3·frames·side²]
  Value positions;  ///< [1, patches, hidden]: the learned ones, resampled to the image's patches
  Value cos, sin;   ///< [1, patches, head_dim/2]
};

/// What a language model gets of an image.
struct SeenImage {
  Value tokens;             ///< [1, patches / merge², out], in place of its words
  std::vector<Value> deep;  ///< the same shape: added to what its first layers give (DeepStack)
};

/// The vision tower of a Qwen3-VL (arXiv 2511.21631), transformers names: a vision transformer with
/// learned and rotary positions, whose patches are merged by squares; DeepStack (arXiv 2406.04334).
class Qwen3Vision {
 public:
  Qwen3Vision(const Qwen3VisionConfig& config, const Scope& scope);

  /// In the stream's dtype, fp32.
  SeenImage forward(Graph& graph, const Qwen3VisionInputs& in) const;

  const Qwen3VisionConfig& config() const { return config_; }

 private:
  struct Block {
    LayerNorm norm1, norm2;
    Linear qkv, proj, fc1, fc2;
    std::string attention_path;
    Block(const Qwen3VisionConfig& config, const Scope& scope);
  };
  /// Squares of patches to tokens of the language model.
  struct Merger {
    bool of_squares;  ///< the norm is of a square's channels together, else of each patch's
    LayerNorm norm;
    Linear fc1, fc2;
    Merger(const Qwen3VisionConfig& config, const Scope& scope, bool of_squares);
  };
  Value run_block(const Block& block, Value x, const Qwen3VisionInputs& in) const;
  Value merged(const Merger& merger, Value x) const;

  Qwen3VisionConfig config_;
  DType activations_, stream_;
  PatchEntry entry_;
  std::vector<Block> blocks_;
  Merger merger_;
  std::vector<Merger> deep_;
};

}  // namespace mantissa
