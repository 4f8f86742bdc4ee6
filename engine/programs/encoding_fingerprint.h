#pragma once

#include <string>

#include "engine/core/progress.h"
#include "engine/io/content_hashes.h"
#include "engine/models/diffusion_model.h"

namespace mantissa {

/// Everything of a base model that a cached latent depends on: every byte of the VAE's weights, its
/// configuration, its compute dtypes.
std::string latent_fingerprint(const DiffusionModel& model, const ContentHashes& hashes,
                               const Progress& progress = {});

/// Fingerprint of a cached text encoding: each encoder's weights, configuration, tokenizer files
/// and dtypes, the family (which determines the encoders' outputs used) and the text options.
std::string text_fingerprint(const DiffusionModel& model, const ContentHashes& hashes,
                             const Progress& progress = {});

}  // namespace mantissa
