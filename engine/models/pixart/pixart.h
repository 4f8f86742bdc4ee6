#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/models/pixart/pixart_config.h"
#include "engine/nn/attention.h"
#include "engine/nn/conv2d.h"
#include "engine/nn/linear.h"
#include "engine/nn/scope.h"
#include "engine/nn/timestep_mlp.h"

namespace mantissa {

/// A PixArt transformer's inputs apart from the noised latents.
struct PixartInputs {
  Value timesteps;      ///< [b] fp32
  Value text;           ///< [b, tokens, caption channels]
  Value text_mask;      ///< [b, tokens] fp32, added to the scores: 0, or -10000 for padding
  Value sizes;          ///< [b, 3] fp32: height, width, height/width; only alpha-1024
  Value columns, rows;  ///< [patches] fp32: each patch's position (pixart_grid)
};

/// The transformer of PixArt-alpha and PixArt-Sigma at any width (Chen et al., arXiv 2310.00426,
/// 2403.04692), diffusers names.
class PixartTransformer {
 public:
  PixartTransformer(const PixartConfig& config, const Scope& scope);

  /// latents [b, h, w, in] (NHWC, fp32; h and w multiples of the patch size) -> [b, h, w, out].
  Value forward(Graph& graph, Value latents, const PixartInputs& inputs) const;

  const PixartConfig& config() const { return config_; }

 private:
  struct Block {
    std::string path;
    Tensor* table;  ///< [6, width]
    Attention attn1, attn2;
    Linear ff_in, ff_out;
    Block(const PixartConfig& config, const Scope& scope);
  };
  struct Conditions {
    Value block;  ///< [b, 6·width]: shift, scale, gate of attention, then of the feed-forward
    Value end;    ///< [b, width]
  };
  Value patches(Graph& graph, Value latents, const PixartInputs& inputs) const;
  Conditions conditions(Graph& graph, const PixartInputs& inputs, DType dtype) const;
  Value run_block(const Block& block, Value x, Value condition, Value text, Value mask) const;

  PixartConfig config_;
  std::string path_;
  DType activations_;
  Conv2d patch_;
  TimestepMlp time_;
  std::optional<TimestepMlp> resolution_, aspect_;
  Linear condition_;
  Linear caption1_, caption2_;
  std::vector<Block> blocks_;
  Tensor* table_;  ///< [2, width]
  Linear proj_out_;
};

/// Column and row of every patch of a [height, width] grid, row by row, on the axes the position
/// embedding was trained on: i·(sample_size/patch_size)/patches/interpolation_scale, each axis
/// alone, so that every aspect ratio spans the same range.
std::pair<std::vector<float>, std::vector<float>> pixart_grid(std::int64_t height,
                                                              std::int64_t width,
                                                              const PixartConfig& config);

}  // namespace mantissa
