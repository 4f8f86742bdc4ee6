#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/models/vae/vae.h"

namespace mantissa {

/// diffusers' AutoencoderKLFlux2.
struct Flux2VaeConfig {
  VaeConfig vae;                    ///< of the networks; their latents aren't scaled
  double norm_eps = 1e-4;           ///< added to the variances of the latents
  static constexpr int kPatch = 2;  ///< pixels of a latent patch's side

  /// Channels of the denoiser's latents.
  int channels() const { return vae.latent_channels * kPatch * kPatch; }
  int factor() const { return vae.factor() * kPatch; }
  bool operator==(const Flux2VaeConfig&) const = default;
};

/// As vae_config: from vae/config.json, else from names and shapes, checked against the weights.
Flux2VaeConfig flux2_vae_config(const WeightSource& weights);
Flux2VaeConfig flux2_vae_config_from_json(const nlohmann::json& json, const std::string& label);
/// Diffusers' form, as written to config.json.
nlohmann::json to_json(const Flux2VaeConfig& config);

/// The latents of the denoiser: patches, normalised by the running statistics of a BatchNorm
/// without affine, (z − mean) / √(variance + eps) for each channel of a patch. Throws Error if the
/// weights lack the statistics or have a variance below 0.
LatentSpace flux2_latents(const WeightSource& weights, const Flux2VaeConfig& config);

/// Latent space for planning without a VAE, `channels` of a patch: not normalised.
LatentSpace flux2_patches(int channels);

/// FLUX.2's autoencoder: an AutoencoderKL whose latents are read as patches of 2 × 2. Channel c of
/// pixel (row i, column j) of a patch is its channel 4c + 2i + j.
class Flux2Vae final : public Autoencoder {
 public:
  Flux2Vae(const Flux2VaeConfig& config, const Scope& scope) : vae_(config.vae, scope) {}

  /// -> [b, h/f, w/f, 2·channels()], f = config.factor().
  Value encode(Graph& graph, Value image) const override;
  Value decode(Graph& graph, Value latents) const override;

 private:
  Vae vae_;
};

/// The autoencoder of a model whose denoiser takes `channels`, which tell its latents where there
/// is none. Throws Error as its config and its latents do.
ModelVae flux2_model_vae(const WeightSource& source, int channels);

}  // namespace mantissa
