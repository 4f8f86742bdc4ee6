#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// Z-Image transformer, base and Turbo: the same network.
struct ZImageConfig {
  int in_channels = 16;
  int width = 3840, heads = 30;
  int layers = 30;
  int refiner_layers = 2;       ///< of the image alone, and of the caption alone
  int caption_channels = 2560;  ///< of the text encoder
  int patch_size = 2;
  double norm_eps = 1e-5;
  double rope_theta = 256;
  double t_scale = 1000;                     ///< of times in [0, 1], before their sinusoid
  std::array<int, 3> axes_dims{32, 48, 48};  ///< channels of a head that turn with each axis
  /// Positions on each axis: of the caption and behind it, rows, columns.
  std::array<int, 3> axes_lens{1536, 512, 512};

  /// What fits on the first axis before the image, in multiples of 32.
  int most_text_tokens() const { return (axes_lens[0] - 2) / 32 * 32; }
  int head_dim() const { return width / heads; }
  /// Inner width of the feed-forward.
  int hidden() const { return static_cast<int>(width / 3.0 * 8); }
  /// Width of the timestep's embedding.
  int condition() const { return width < 256 ? width : 256; }
  bool operator==(const ZImageConfig&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes in the proportions of the released models, whose other numbers no shape shows). The result
/// is always checked against the weights. Throws Error naming the field or tensor.
ZImageConfig z_image_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
ZImageConfig z_image_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const ZImageConfig& config);

}  // namespace mantissa
