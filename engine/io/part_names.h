#pragma once
// Names of parts in folders, reports and files that other programs read too. The paths of modules
// have the parts' own names: see module_path.h.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/part.h"

namespace mantissa {

/// A part's name in events, tables and the configs of a single file: "unet" for the denoiser of
/// every family, "te1", "te2", "vae".
std::string part_name(Part part);
/// The folder of most diffusers models, and what traces and PEFT's metadata begin names with:
/// "unet" (which some call "transformer"), "text_encoder", "text_encoder_2", "vae".
std::string part_folder(Part part);
/// The part of such a folder: "transformer" is the denoiser's too. Empty for another name.
std::optional<Part> part_of_folder(std::string_view folder);
/// Every folder that part_of_folder accepts, a denoiser's first.
std::vector<std::string_view> part_folders();

}  // namespace mantissa
