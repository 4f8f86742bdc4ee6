#pragma once

#include "engine/models/autoencoder.h"

namespace mantissa {

/// Weight of the edge error relative to the pixel error: the mean error alone leaves edges soft,
/// and there is neither a discriminator nor a perceptual loss here.
inline constexpr float kEdgeWeight = 0.5F;
/// Weight of the squared error relative to the mean absolute one: the slope of |d| doesn't depend
/// on the error's size, so a fresh decoder stays gray for thousands of steps. d² fixes colours
/// first.
inline constexpr float kSquareWeight = 3.0F;

/// The training loss of an autoencoder.
struct VaeLoss {
  Value loss;  ///< []: pixels + kSquareWeight·squares + kEdgeWeight·edges + kl_weight·divergence
  Value pixels;         ///< []: mean of |x̂ - x|
  Value squares;        ///< []: mean of (x̂ - x)²
  Value edges;          ///< []: the same of the differences of neighbours, both axes added
  Value divergence;     ///< []: mean over latent values of KL(q ‖ N(0, 1))
  Value reconstructed;  ///< x̂, like the image
};

/// The loss of a variational autoencoder (Kingma & Welling, arXiv 1312.6114) as in latent diffusion
/// (arXiv 2112.10752, AutoencoderKL): q(z|x) = N(mean, e^log_variance), log variances within [-30,
/// 20]; z = mean + e^(log_variance/2)·ε; x̂ = decode(z);
/// KL = ½(mean² + e^log_variance - log_variance - 1).
///
/// LDM sums errors and divergences, weighting the latter by 1e-6. With means that is 2e-8, as an
/// SDXL latent value represents 48 image values. training.vae_kl_weight defaults to 1e-6: a small
/// VAE has little else to keep its latents smooth.
///
/// image [b, h, w, 3] in [-1, 1]; noise ε [b, h/f, w/f, latent], both fp32 (fp64).
VaeLoss vae_loss(Graph& graph, const Autoencoder& vae, Value image, Value noise, float kl_weight);

/// The mean half [b, h, w, latent] of Vae::encode's output.
Value posterior_mean(Value moments);

}  // namespace mantissa
