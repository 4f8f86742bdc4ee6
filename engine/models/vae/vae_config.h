#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/weights.h"

namespace mantissa {

struct VaeConfig {
  int in_channels = 3, out_channels = 3, latent_channels = 4;
  std::vector<int> block_out_channels;  ///< 128, 256, 512, 512
  int layers_per_block = 2;
  int norm_num_groups = 32;
  double norm_eps = 1e-6;
  double scaling_factor = 0.13025;
  double shift_factor = 0;  ///< taken from the encoder's output before scaling (FLUX.1)
  /// Per channel, for models that normalise latents to mean 0 and deviation 1 before scaling; both
  /// empty otherwise.
  std::vector<double> latents_mean, latents_std;
  bool mid_attention = true;
  bool quant_conv = true, post_quant_conv = true;  ///< the pointwise layers around the latents

  /// Pixels per latent side: 8 for four levels.
  int factor() const { return 1 << (static_cast<int>(block_out_channels.size()) - 1); }
  /// latent = gain·(z − shift) of the encoder's output, by channel.
  double latent_gain(std::size_t channel) const {
    return latents_std.empty() ? scaling_factor : scaling_factor / latents_std[channel];
  }
  double latent_shift(std::size_t channel) const {
    return latents_mean.empty() ? shift_factor : latents_mean[channel];
  }
  bool operator==(const VaeConfig&) const = default;
};

/// Reads vae/config.json, else detects it from names and shapes (groups = 32, or for channels that
/// 32 doesn't divide the largest power of two that does; the family's scale). The result is always
/// checked against the weights. Throws Error naming the field or tensor.
VaeConfig vae_config(const WeightSource& weights);
/// The two halves of that: what names and shapes say; throws Error if `config` says otherwise.
VaeConfig detected_vae_config(const WeightSource& weights);
void check_vae_config(const WeightSource& weights, const VaeConfig& config);
/// A config from its JSON alone; `label` names the source in errors.
VaeConfig vae_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json and `mantissa.config`.
nlohmann::json to_json(const VaeConfig& config);

}  // namespace mantissa
