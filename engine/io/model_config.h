#pragma once

#include <algorithm>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/key_map.h"
#include "engine/io/weights.h"

namespace mantissa {

/// What lies between the two halves of a UNet: nothing, one residual block, or a transformer
/// between two of them.
enum class MidBlock { none, residual, attention };

/// SDXL / SD 1.5 UNet. Vectors have one entry a level, outermost first.
struct UnetConfig {
  int in_channels = 4, out_channels = 4;
  std::vector<int> block_out_channels;  ///< 320, 640, 1280
  std::vector<int> layers_per_block;    ///< residual blocks a level: 2, 2, 2
  std::vector<bool> has_attention;      ///< false, true, true
  /// Inner blocks of each transformer on the way down, and of the one more on the way up; empty for
  /// a level without attention. A transformer of 0 blocks still has its norm and projections.
  std::vector<std::vector<int>> transformer_layers, up_transformer_layers;
  std::vector<int> num_attention_heads;  ///< 5, 10, 20; head width = channels / heads
  MidBlock mid_block = MidBlock::attention;
  int mid_transformer_layers = 0;
  int mid_attention_heads = 0;
  int cross_attention_dim = 2048;
  int addition_time_embed_dim = 0;  ///< 256; 0 when there is no added condition (SD 1.5)
  int projection_class_embeddings_input_dim = 0;  ///< 2816; 0 as above
  int time_embed_dim = 0;                         ///< 4 x block_out_channels[0]
  int norm_num_groups = 32;
  double norm_eps = 1e-5;             ///< residual blocks and output; transformers use 1e-6
  bool use_linear_projection = true;  ///< proj_in/out are Linear (SDXL) or 1x1 conv (SD 1.5)
  int sample_size = 128;              ///< latent side the model was made for

  int levels() const { return static_cast<int>(block_out_channels.size()); }
  /// Width of the pooled text vector: what projection_class_embeddings_input_dim leaves for it.
  int pooled_dim() const {
    return projection_class_embeddings_input_dim - 6 * addition_time_embed_dim;
  }
  UnetLayout layout() const { return {layers_per_block, has_attention}; }
  /// The usual UNet: the same number of inner blocks all over a level. Needs layers_per_block and
  /// has_attention.
  void set_transformer_layers(const std::vector<int>& per_level);
  bool operator==(const UnetConfig&) const = default;
};

struct ClipConfig {
  int hidden = 768, layers = 12, heads = 12, intermediate = 3072;
  bool quick_gelu = true;  ///< x * sigmoid(1.702 x), else erf GELU
  int vocab = 49408, positions = 77;
  int tokens = 77;  ///< of a text: as many as there are positions, or as the tokenizer limits it to
  int projection_dim = 0;  ///< rows of text_projection; 0 when there is none
  int bos_id = 49406;
  int eos_id = 49407;  ///< 2: configs of old, which mean the greatest id of a text
  int pad_id = 49407;  ///< te1: same as EOS; te2: 0
  double norm_eps = 1e-5;

  /// The ids that CLIP's own vocabulary has, whatever was added to it; of a smaller one its last
  /// two, as in CLIP's.
  void use_usual_ids(Part part) {
    constexpr int kClipVocab = 49408;
    eos_id = std::min(vocab, kClipVocab) - 1;
    bos_id = eos_id - 1;
    pad_id = part == kTe2 ? 0 : eos_id;
  }
  bool operator==(const ClipConfig&) const = default;
};

struct VaeConfig {
  int in_channels = 3, out_channels = 3, latent_channels = 4;
  std::vector<int> block_out_channels;  ///< 128, 256, 512, 512
  int layers_per_block = 2;
  int norm_num_groups = 32;
  double norm_eps = 1e-6;
  double scaling_factor = 0.13025;
  /// Of the latents by channel, where the model's are brought to mean 0 and deviation 1 before they
  /// are scaled; both empty where they aren't.
  std::vector<double> latents_mean, latents_std;
  bool mid_attention = true;
  bool quant_conv = true, post_quant_conv = true;  ///< the pointwise layers around the latents

  /// latent = gain·(z − shift) of what the encoder gives, by channel.
  double latent_gain(std::size_t channel) const {
    return latents_std.empty() ? scaling_factor : scaling_factor / latents_std[channel];
  }
  double latent_shift(std::size_t channel) const {
    return latents_mean.empty() ? 0 : latents_mean[channel];
  }
  bool operator==(const VaeConfig&) const = default;
};

/// PixArt-alpha and PixArt-Sigma transformer (models.md f.1).
struct PixartConfig {
  int in_channels = 4, out_channels = 8;  ///< 8: noise, then its variance, which training ignores
  int layers = 28, heads = 16, head_dim = 72;
  int patch_size = 2;
  int caption_channels = 4096;  ///< of the text encoder
  int sample_size = 128;        ///< latent side the position embedding spans
  double interpolation_scale = 2;
  bool additional_conditions = false;  ///< alpha-1024: told the resolution and the aspect ratio
  double norm_eps = 1e-6;

  int width() const { return heads * head_dim; }
  bool operator==(const PixartConfig&) const = default;
};

/// T5-v1.1 encoder (models.md f.2).
struct T5Config {
  int vocab = 32128, hidden = 4096, layers = 24, heads = 64, head_dim = 64, intermediate = 10240;
  int buckets = 32, max_distance = 128;  ///< of the relative position bias
  double norm_eps = 1e-6;
  int pad_id = 0, eos_id = 1;
  bool operator==(const T5Config&) const = default;
};

/// Reads the part's config.json (diffusers / transformers fields), else detects it from names and
/// shapes; either way the result is checked against the weights. Detection rules:
///  - heads = channels / 64, at least 1 (SD 1.5, recognised by its 1x1 conv projections: always 8);
///  - groups = 32, or for channels that 32 doesn't divide the largest power of two that does;
///  - activation quick_gelu for te1, GELU for te2; VAE scale 0.13025 with SDXL, 0.18215 with
///  SD 1.5 and PixArt-alpha;
///  - PixArt: head width 72 where it divides, else 64 or less; latent side 128;
///  - T5: head width 64 where it divides.
/// Throws Error naming the field or tensor and what to do (e.g. an inpainting checkpoint).
UnetConfig unet_config(const WeightSource& weights);
ClipConfig clip_config(const WeightSource& weights, Part part);
VaeConfig vae_config(const WeightSource& weights);
PixartConfig pixart_config(const WeightSource& weights);
T5Config t5_config(const WeightSource& weights);

/// The same from JSON alone; `label` names the source in errors.
UnetConfig unet_config_from_json(const nlohmann::json& json, const std::string& label);
ClipConfig clip_config_from_json(const nlohmann::json& json, Part part, const std::string& label);
VaeConfig vae_config_from_json(const nlohmann::json& json, const std::string& label);
PixartConfig pixart_config_from_json(const nlohmann::json& json, const std::string& label);
T5Config t5_config_from_json(const nlohmann::json& json, const std::string& label);

/// Diffusers / transformers form, as written to config.json and `mantissa.config`.
nlohmann::json to_json(const UnetConfig& config);
nlohmann::json to_json(const ClipConfig& config);
nlohmann::json to_json(const VaeConfig& config);

}  // namespace mantissa
