#pragma once
// Names of the autoencoder of Qwen-Image: those of its original file, Wan 2.1's, mapped to those of
// diffusers.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"

namespace mantissa {

/// Whether this tensor name, without prefix, identifies an original file.
bool is_original_qwen_vae(std::string_view name);
/// How many entries a level has in the original decoder's single list of blocks, the last level's
/// one less, by the names behind `prefix` of `part`'s files, or of files without a part; 0 if they
/// aren't original.
int qwen_vae_level_size(const ModelFiles& files, std::optional<Part> part, std::string_view prefix);
/// The size of a level by diffusers' names.
int qwen_vae_level_size_from_diffusers(std::span<const std::string> names);

/// From a name in an original file, without prefix, to diffusers names, and back.
std::optional<std::string> qwen_vae_to_diffusers(std::string_view name, int level_size);
std::optional<std::string> qwen_vae_to_original(std::string_view name, int level_size);

/// The number of residual blocks in each level of the decoder of Qwen-Image-2.1's VAE, one less in
/// the encoder's, by its original names, which are Wan 2.2's; 0 if they aren't original.
int qwen_image21_vae_blocks(const ModelFiles& files, std::optional<Part> part,
                            std::string_view prefix);
/// From its original names to diffusers' and back, as above, with that number of blocks.
std::optional<std::string> qwen_image21_vae_to_diffusers(std::string_view name, int blocks);
std::optional<std::string> qwen_image21_vae_to_original(std::string_view name, int blocks);

/// The mapping of a tensor with that diffusers name.
NameMapping qwen_vae_weight(std::string name);

}  // namespace mantissa
