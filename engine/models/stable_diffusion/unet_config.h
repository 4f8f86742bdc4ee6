#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/weights.h"

namespace mantissa {

/// The middle of a UNet: nothing, one residual block, or a transformer between two of them.
enum class MidBlock { none, residual, attention };

/// SDXL / SD 1.5 UNet. Vectors have one entry per level, outermost first.
struct UnetConfig {
  int in_channels = 4, out_channels = 4;
  std::vector<int> block_out_channels;  ///< 320, 640, 1280
  std::vector<int> layers_per_block;    ///< residual blocks per level: 2, 2, 2
  std::vector<bool> has_attention;      ///< false, true, true
  /// Inner blocks of each transformer on the way down, and of the one more on the way up; empty for
  /// a level without attention. A transformer of 0 blocks still has its norm and projections.
  std::vector<std::vector<int>> transformer_layers, up_transformer_layers;
  std::vector<int> num_attention_heads;  ///< 5, 10, 20; head width = channels / heads
  MidBlock mid_block = MidBlock::attention;
  int mid_transformer_layers = 0;
  int mid_attention_heads = 0;
  int cross_attention_dim = 2048;
  int addition_time_embed_dim = 0;                ///< 256; 0 without added condition (SD 1.5)
  int projection_class_embeddings_input_dim = 0;  ///< 2816; 0 as above
  int time_embed_dim = 0;                         ///< 4 x block_out_channels[0]
  int norm_num_groups = 32;
  double norm_eps = 1e-5;             ///< residual blocks and output; transformers use 1e-6
  bool use_linear_projection = true;  ///< proj_in/out are Linear (SDXL) or 1x1 conv (SD 1.5)
  int sample_size = 128;              ///< the model's native latent side

  int levels() const { return static_cast<int>(block_out_channels.size()); }
  /// Width of the pooled text vector: the rest of projection_class_embeddings_input_dim.
  int pooled_dim() const {
    return projection_class_embeddings_input_dim - 6 * addition_time_embed_dim;
  }
  /// The usual UNet: the same number of inner blocks throughout a level. Needs layers_per_block and
  /// has_attention.
  void set_transformer_layers(const std::vector<int>& per_level);
  bool operator==(const UnetConfig&) const = default;
};

/// Reads unet/config.json, else detects it from names and shapes (heads = channels / 64, at least
/// 1, or 8 if projections are 1x1 convolutions; groups = 32, or for channels that 32 doesn't divide
/// the largest power of two that does). The result is always checked against the weights. Throws
/// Error naming the field or tensor and what to do (e.g. an inpainting checkpoint).
UnetConfig unet_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
UnetConfig unet_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json and `mantissa.config`.
nlohmann::json to_json(const UnetConfig& config);

}  // namespace mantissa
