#pragma once

#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/qwen3/qwen25_vision_config.h"
#include "engine/models/qwen3/vision_parts.h"
#include "engine/nn/linear.h"
#include "engine/nn/norms.h"
#include "engine/nn/scope.h"

namespace mantissa {

/// What Qwen25Vision reads of one image (qwen25_vision_inputs.h makes it), window by window.
struct Qwen25VisionInputs {
  Value patches;   ///< [1, patches, 3·frames·side²] fp32
  Value cos, sin;  ///< [1, patches, head_dim/2] fp32
  Value order;     ///< [1, tokens] int32: where each token of the image is
  std::vector<PatchGroups> windows{};
};

/// The vision tower of a Qwen2.5-VL (arXiv 2502.13923), transformers names: a vision transformer
/// with rotary positions whose patches attend within windows, in a few blocks to all, and are
/// merged by squares.
class Qwen25Vision {
 public:
  Qwen25Vision(const Qwen25VisionConfig& config, const Scope& scope);

  /// -> [1, tokens, out] in the stream's dtype, fp32: in place of the image's words, row by row.
  Value forward(Graph& graph, const Qwen25VisionInputs& in) const;

  const Qwen25VisionConfig& config() const { return config_; }

 private:
  struct Block {
    RmsNorm norm1, norm2;
    Linear qkv, proj, gate, up, down;
    std::string attention_path, mlp_path;
    bool whole;  ///< its patches attend to all
    Block(const Qwen25VisionConfig& config, const Scope& scope, int index);
  };
  Value run_block(const Block& block, Value x, const Qwen25VisionInputs& in) const;
  Value merged(Value x, Value order) const;

  Qwen25VisionConfig config_;
  DType activations_, stream_;
  PatchEntry entry_;
  std::vector<Block> blocks_;
  std::string merger_path_;
  RmsNorm merger_norm_;
  Linear merger1_, merger2_;
};

}  // namespace mantissa
