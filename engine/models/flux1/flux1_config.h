#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"
#include "engine/models/flux1/flux1_blocks.h"

namespace mantissa {

/// FLUX.1's transformer; the defaults are those of dev.
struct Flux1Config {
  int in_channels = 64;  ///< of latent patches
  int heads = 24, head_dim = 128;
  int double_blocks = 19, single_blocks = 38;
  int context_channels = 4096;  ///< of T5's states
  int pooled_channels = 768;    ///< of CLIP's vector
  /// Channels of a head that turn with each axis: none of them, row, column.
  std::array<int, 3> axes_dims{16, 56, 56};
  bool guidance = true;  ///< distilled with a guidance scale as an input (dev)

  int width() const { return heads * head_dim; }
  Flux1Widths widths() const { return {heads, head_dim}; }
  int latent_channels() const { return in_channels / (kPatch * kPatch); }
  bool operator==(const Flux1Config&) const = default;

  static constexpr int kPatch = kFlux1Patch;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes as in every released model). The result is always checked against the weights. Throws Error
/// naming the field or tensor, and for models that read an image beside the noise.
Flux1Config flux1_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
Flux1Config flux1_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const Flux1Config& config);

}  // namespace mantissa
