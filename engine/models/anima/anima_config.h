#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// Anima's transformer: the one of Cosmos-Predict2, for single images. The defaults are those of
/// the released model.
struct AnimaConfig {
  int in_channels = 16;  ///< of the latents; the network gets one more, the mask of padding
  int heads = 16, head_dim = 128;
  int layers = 28;
  double mlp_ratio = 4;
  int text_channels = 1024;
  int modulation_rank = 256;  ///< inner width of each block's modulations
  int patch_size = 2;
  int most_patches = 128;  ///< of an image's side
  /// NTK factors of frame, row and column.
  std::array<double, 3> rope_scale{1, 4, 4};
  bool padding_mask = true;  ///< whether the network gets that channel

  int width() const { return heads * head_dim; }
  /// Inner width of a feed-forward.
  int hidden() const { return static_cast<int>(width() * mlp_ratio); }
  /// Channels of a patch as the network gets it.
  int patch_channels() const {
    return (in_channels + (padding_mask ? 1 : 0)) * patch_size * patch_size;
  }
  bool operator==(const AnimaConfig&) const = default;
};

/// What turns the hidden states of Qwen3 and the ids of T5's tokenizer into the transformer's text.
struct AnimaTextConfig {
  int source = 1024;  ///< width of Qwen3
  int target = 1024;  ///< of the transformer's text, and of the embeddings of T5's ids
  int width = 1024;
  int layers = 6;
  int heads = 16;
  double mlp_ratio = 4;
  int vocab = 32128;

  int head_dim() const { return width / heads; }
  int hidden() const { return static_cast<int>(width * mlp_ratio); }
  bool operator==(const AnimaTextConfig&) const = default;
};

/// Tokens of a text: what is left after its own is zeros, which the transformer attends to.
inline constexpr int kAnimaTokens = 512;

/// Reads transformer/config.json, else detects it from names and shapes (rope_scale as released).
/// The result is always checked against the weights. Throws Error naming the field or tensor.
AnimaConfig anima_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
AnimaConfig anima_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const AnimaConfig& config);

/// As anima_config, from text_conditioner/config.json.
AnimaTextConfig anima_text_config(const WeightSource& weights);
AnimaTextConfig anima_text_config_from_json(const nlohmann::json& json, const std::string& label);
nlohmann::json to_json(const AnimaTextConfig& config);

}  // namespace mantissa
