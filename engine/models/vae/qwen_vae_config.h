#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "engine/io/weights.h"
#include "engine/models/autoencoder.h"

namespace mantissa {

class ConfigFields;

/// diffusers' AutoencoderKLQwenImage, and AutoencoderKLQwenImage21, for single images. The defaults
/// are those of the released first one.
struct QwenVaeConfig {
  int base_width = 96;
  int decoder_width = 96;
  int latent_channels = 16;
  std::vector<int> multipliers{1, 2, 4, 4};  ///< of either width, by level
  int layers_per_block = 2;
  int in_channels = 3;  ///< 4 with alpha
  /// AutoencoderKLQwenImage21: a shortcut around each level, as in Wan 2.2.
  bool residual = false;
  /// Whether a level's sampler also halves time, by level but the last: for other programs.
  std::vector<bool> temporal{false, true, true};
  std::vector<double> latents_mean, latents_std;  ///< by channel

  int levels() const { return static_cast<int>(multipliers.size()); }
  int width(int level) const { return base_width * multipliers[static_cast<std::size_t>(level)]; }
  int decoded_width(int level) const {
    return decoder_width * multipliers[static_cast<std::size_t>(level)];
  }
  /// Pixels per latent side.
  int factor() const { return 1 << (levels() - 1); }
  bool operator==(const QwenVaeConfig&) const = default;
};

/// As vae_config: from vae/config.json, else from names and shapes, checked against the weights.
/// Throws Error naming the field or tensor.
QwenVaeConfig qwen_vae_config(const WeightSource& weights);
QwenVaeConfig qwen_vae_config_from_json(const nlohmann::json& json, const std::string& label);
/// Configs of AutoencoderKLQwenImage21, otherwise as above.
QwenVaeConfig qwen_image21_vae_config(const WeightSource& weights);
QwenVaeConfig qwen_image21_vae_config_from_json(const nlohmann::json& json,
                                                const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const QwenVaeConfig& config);

/// The latents of the denoiser: (z − mean) / std for each channel.
LatentSpace qwen_latents(const QwenVaeConfig& config);
/// For planning without a VAE: of this factor, not normalised.
LatentSpace plain_qwen_latents(int channels, int factor = 8);

// -- what the readers of both configs share ------------------------------------------------------
/// latents_mean and latents_std; `usual` those of the released model, for as many channels.
struct UsualLatents {
  std::span<const double> mean, deviation;
};
void add_latent_statistics(QwenVaeConfig& config, const UsualLatents& usual);
void read_latent_statistics(const ConfigFields& fields, QwenVaeConfig& config,
                            const UsualLatents& usual);
/// temperal_downsample: a flag for each level but the last.
std::vector<bool> read_temporal_levels(const ConfigFields& fields, const QwenVaeConfig& config,
                                       const std::vector<bool>& usual);
/// The VAE's config, by that reader, or `found` in its weights. Throws Error if the two differ, or
/// if nothing told the statistics.
QwenVaeConfig checked_qwen_vae(const WeightSource& weights, const QwenVaeConfig& found,
                               QwenVaeConfig (*from_json)(const nlohmann::json&,
                                                          const std::string&));

}  // namespace mantissa
