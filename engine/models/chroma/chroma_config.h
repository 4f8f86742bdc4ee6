#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/io/weights.h"
#include "engine/models/flux1/flux1_blocks.h"

namespace mantissa {

/// Chroma's transformer; the defaults are those of every released one.
struct ChromaConfig {
  int in_channels = 64;  ///< of latent patches
  int heads = 24, head_dim = 128;
  int double_blocks = 19, single_blocks = 38;
  int context_channels = 4096;  ///< of T5's states
  /// Channels of a head that turn with each axis: none of them, row, column.
  std::array<int, 3> axes_dims{16, 56, 56};
  /// Sizes of the network that makes the modulations: its input, its inner width, its layers.
  int approximator_channels = 64, approximator_width = 5120, approximator_layers = 5;

  int width() const { return heads * head_dim; }
  Flux1Widths widths() const { return {heads, head_dim}; }
  int latent_channels() const { return in_channels / (kFlux1Patch * kFlux1Patch); }
  /// Vectors that modulate: three of each single block, six of each stream of a double one, and two
  /// of the exit.
  int modulations() const { return 3 * single_blocks + 12 * double_blocks + 2; }
  bool operator==(const ChromaConfig&) const = default;
};

/// Reads transformer/config.json, else detects it from names and shapes (heads from the norm of q,
/// axes as in every released model). The result is always checked against the weights. Throws Error
/// naming the field or tensor.
ChromaConfig chroma_config(const WeightSource& weights);
/// A config from its JSON alone; `label` names the source in errors.
ChromaConfig chroma_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const ChromaConfig& config);

}  // namespace mantissa
