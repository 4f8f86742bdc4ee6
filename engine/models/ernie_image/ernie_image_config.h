#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// ERNIE-Image's transformer; the defaults are those of the released models.
struct ErnieImageConfig {
  int width = 4096, heads = 32, layers = 36;
  int hidden = 12288;           ///< inner width of the feed-forwards
  int in_channels = 128;        ///< of latent patches
  int context_channels = 3072;  ///< of the text
  double norm_eps = 1e-6;
  double rope_theta = 256;
  /// Channels of a head that turn with each axis: the place in the sequence, row, column.
  std::array<int, 3> axes_dims{32, 48, 48};

  int head_dim() const { return width / heads; }
  bool operator==(const ErnieImageConfig&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes in the released proportions). The result is always checked against the weights. Throws
/// Error naming the field or tensor.
ErnieImageConfig ernie_image_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
ErnieImageConfig ernie_image_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const ErnieImageConfig& config);

}  // namespace mantissa
