#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// Qwen-Image-2.1's transformer; the defaults are those of the released model.
struct QwenImage21Config {
  int in_channels = 64;
  int layers = 32;
  int heads = 32, head_dim = 128;
  int context_channels = 4096;  ///< of the text
  int mlp_ratio = 3;
  double norm_eps = 1e-6;
  /// Channels of a head that turn with each axis: frame, row, column.
  std::array<int, 3> axes_dims{16, 56, 56};
  bool still_text = true;  ///< text is modulated as at time 0

  int width() const { return heads * head_dim; }
  /// Inner width of a feed-forward.
  int hidden() const { return width() * mlp_ratio; }
  bool operator==(const QwenImage21Config&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes in the released model's proportions). The result is always checked against the weights.
/// Throws Error naming the field or tensor.
QwenImage21Config qwen_image21_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
QwenImage21Config qwen_image21_config_from_json(const nlohmann::json& json,
                                                const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const QwenImage21Config& config);

}  // namespace mantissa
