#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// PixArt-alpha and PixArt-Sigma transformer.
struct PixartConfig {
  int in_channels = 4, out_channels = 8;  ///< 8: noise, then its variance, which training ignores
  int layers = 28, heads = 16, head_dim = 72;
  int patch_size = 2;
  int caption_channels = 4096;  ///< of the text encoder
  int sample_size = 128;        ///< latent side the position embedding spans
  double interpolation_scale = 2;
  bool additional_conditions = false;  ///< alpha-1024: conditioned on resolution and aspect ratio
  double norm_eps = 1e-6;

  int width() const { return heads * head_dim; }
  bool operator==(const PixartConfig&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (head width 72 if it
/// divides, else 64 or less; latent side 128). The result is always checked against the weights.
/// Throws Error naming the field or tensor.
PixartConfig pixart_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
PixartConfig pixart_config_from_json(const nlohmann::json& json, const std::string& label);

}  // namespace mantissa
