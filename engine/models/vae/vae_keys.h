#pragma once
// Names of an AutoencoderKL's weights: those of the original checkpoints (LDM) mapped to those of
// diffusers, and their differences in shape.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// VAE names, without prefix; `levels` of down blocks.
int vae_levels_from_ldm(std::span<const std::string> names);
int vae_levels_from_diffusers(std::span<const std::string> names);
/// Levels of the VAE whose original names follow `prefix` in a single file; 0 without one.
int vae_levels_behind(const ModelFiles& files, std::string_view prefix);
std::optional<std::string> vae_to_diffusers(std::string_view ldm, int levels);
std::optional<std::string> vae_to_ldm(std::string_view diffusers, int levels);

/// The mapping of a tensor with the diffusers name `name`: attention projections may be stored as
/// pointwise convolutions.
NameMapping vae_weight(const TensorInfo& tensor, std::string name);
/// The mapping of a tensor in a diffusers folder, with names of any version of diffusers.
NameMapping vae_in_folder(const TensorInfo& tensor);
/// The tensor of weight `name` in a single file with `levels`, after `prefix`.
std::optional<OriginalTensor> vae_in_single_file(const std::string& name, const std::string& prefix,
                                                 int levels);

}  // namespace mantissa
