#pragma once
// Names of an AutoencoderKL's weights: those of the original checkpoints (LDM) against those of
// diffusers, and where their shapes differ.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// VAE names, without prefix; `levels` of down blocks.
int vae_levels_from_ldm(std::span<const std::string> names);
int vae_levels_from_diffusers(std::span<const std::string> names);
std::optional<std::string> vae_to_diffusers(std::string_view ldm, int levels);
std::optional<std::string> vae_to_ldm(std::string_view diffusers, int levels);

/// What a tensor stands for whose diffusers name is `name`: projections of the attention may be
/// kept as pointwise convolutions.
NameMapping vae_weight(const TensorInfo& tensor, std::string name);
/// What a tensor of a diffusers folder stands for, in the names of any version of diffusers.
NameMapping vae_in_folder(const TensorInfo& tensor);
/// Where a single file of `levels` has the weight `name`, after `prefix`.
std::optional<OriginalTensor> vae_in_single_file(const std::string& name, const std::string& prefix,
                                                 int levels);

}  // namespace mantissa
