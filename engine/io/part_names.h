#pragma once
// Names of parts in messages, reports and folders.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/part.h"

namespace mantissa {

/// The first element of its weights' paths, and its name in reports: "unet" for the denoiser of
/// every family, "te1", "te2", "vae".
std::string part_name(Part part);
/// The first element of an adapter's path, and the folder of most diffusers models: "unet" (which
/// some call "transformer"), "text_encoder", "text_encoder_2", "vae".
std::string part_folder(Part part);
/// The part of such a folder: "transformer" is the denoiser's too. Empty for another name.
std::optional<Part> part_of_folder(std::string_view folder);
/// Every folder that part_of_folder accepts, a denoiser's first.
std::vector<std::string_view> part_folders();

}  // namespace mantissa
