#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/io/model_writer.h"

namespace mantissa {

/// An untrained base model.
struct NewModel {
  /// Source of its configs: a diffusers folder, of which only config.json files are read, or a base
  /// model.
  std::filesystem::path like;
  /// Takes the VAE, weights and all, from this model; without it the VAE is random too.
  std::optional<std::filesystem::path> vae;
  std::uint64_t seed = 0;
  DType dtype = DType::f32;
};

/// Random weights in the distributions PyTorch users know: Linear and convolution weights and
/// biases uniform within ±1/sqrt(fan_in), norms 1 and 0 (torch's defaults, as diffusers leaves
/// them); text encoders as transformers initialises CLIP: embeddings normal with deviation 0.02 (or
/// the config's `initializer_range`: small models learn to follow captions sooner with 1),
/// q, k, v and fc2 1/sqrt(2·layers·width), out_proj 1/sqrt(width), fc1 1/sqrt(2·width), text
/// projection 1/sqrt(width), biases 0. A pure function of the configs and the seed. SDXL and SD 1.5
/// families. Throws Error naming the config that is missing.
ModelContents new_model(const NewModel& wanted);

}  // namespace mantissa
