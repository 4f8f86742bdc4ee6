#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"
#include "engine/models/flux1/flux1_blocks.h"

namespace mantissa {

/// Qwen-Image's transformer; the defaults are those of the released models.
struct QwenImageConfig {
  int in_channels = 64;  ///< of a token of 2 x 2 latents
  int layers = 60;
  int heads = 24, head_dim = 128;
  int context_channels = 3584;  ///< of the text
  /// Channels of a head that turn with each axis: frame, row, column.
  std::array<int, 3> axes_dims{16, 56, 56};
  bool zero_cond_t = false;  ///< references are modulated as at time 0 (Qwen-Image-Edit-2511)

  Flux1Widths widths() const { return {heads, head_dim}; }
  std::int64_t width() const { return widths().width(); }
  int latent_channels() const { return in_channels / (kFlux1Patch * kFlux1Patch); }
  bool operator==(const QwenImageConfig&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes in the released models' proportions). The result is always checked against the weights.
/// Throws Error naming the field or tensor.
QwenImageConfig qwen_image_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
QwenImageConfig qwen_image_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const QwenImageConfig& config);

}  // namespace mantissa
