#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"

namespace mantissa {

/// FLUX.3's transformer; the defaults are those of klein Base.
struct Flux3Config {
  int in_channels = 128;         ///< of latent patches
  int reference_channels = 128;  ///< of those of reference images
  int mode_blocks = 5, single_blocks = 28;
  int heads = 24, head_dim = 128;
  int context_channels = 20480;  ///< of the text: all chosen states of the encoder side by side
  int time_channels = 256;       ///< of the timestep's sinusoid
  double mlp_ratio = 3;
  double norm_eps = 1e-6;
  double rope_theta = 10000;
  /// Channels of a head that turn with each axis: frame, row, column, token of the text.
  std::array<int, 4> axes_dims{32, 32, 32, 32};
  bool flow_map = false;  ///< distilled: is told the time that each step jumps to

  int width() const { return heads * head_dim; }
  /// Inner width of a feed-forward.
  int hidden() const { return static_cast<int>(width() * mlp_ratio); }
  bool operator==(const Flux3Config&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// equal axes as in every released model). The result is always checked against the weights. Throws
/// Error naming the field or tensor.
Flux3Config flux3_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
Flux3Config flux3_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const Flux3Config& config);

}  // namespace mantissa
