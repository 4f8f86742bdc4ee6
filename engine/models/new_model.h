#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "engine/io/model_writer.h"

namespace mantissa {

/// An untrained base model.
struct NewModel {
  /// Source of its configs: a diffusers folder, of which only config.json files and tokenizers are
  /// read, or a base model.
  std::filesystem::path like;
  /// Takes the VAE, weights and all, from this model; without it the VAE is random too.
  std::optional<std::filesystem::path> vae;
  std::uint64_t seed = 0;
  DType dtype = DType::f32;
};

/// Random weights in the distributions PyTorch users know: torch_draw, but for text encoders and
/// tokens that are weights themselves (Family::fresh). A pure function of the configs and the seed.
/// Throws Error naming the config that is missing, and for a family of which no new models are
/// made.
ModelContents new_model(const NewModel& wanted);

}  // namespace mantissa
