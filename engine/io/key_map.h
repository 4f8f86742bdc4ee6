#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/preset/part.h"

namespace mantissa {

/// As the family calls it, and the first element of its weights' paths: "unet", "te1", "te2",
/// "vae". Canonical names inside a part are those of diffusers (UNet, VAE) and transformers (text
/// encoders).
std::string part_name(Part part);
/// Folder of a diffusers model and first element of an adapter's path: "unet" (which PixArt calls
/// "transformer"), "text_encoder", "text_encoder_2", "vae".
std::string part_folder(Part part);
/// The part of such a folder: "transformer" is the denoiser's, too. Empty for another name.
std::optional<Part> part_of_folder(std::string_view folder);
/// Prefix in an SDXL single file: "model.diffusion_model.", "conditioner.embedders.0.transformer.",
/// "conditioner.embedders.1.model.", "first_stage_model.".
std::string_view ldm_prefix(Part part);

/// What the LDM numbering of UNet blocks depends on; one entry a level, outermost first.
struct UnetLayout {
  std::vector<int> layers;  ///< residual blocks of the level's down half (the up half has one more)
  std::vector<bool> attention;  ///< does the level hold transformers
  bool operator==(const UnetLayout&) const = default;
};

/// Reads the layout from LDM names without prefix, or from diffusers names.
UnetLayout unet_layout_from_ldm(std::span<const std::string> names);
UnetLayout unet_layout_from_diffusers(std::span<const std::string> names);

/// UNet names of tensors or of modules, without prefix. Empty when the name belongs to no UNet of
/// this layout. Rule: any number of levels; level b starts where the downsampler of b-1 ended.
std::optional<std::string> unet_to_diffusers(std::string_view ldm, const UnetLayout& layout);
std::optional<std::string> unet_to_ldm(std::string_view diffusers, const UnetLayout& layout);

/// VAE names, without prefix; `levels` of down blocks.
int vae_levels_from_ldm(std::span<const std::string> names);
std::optional<std::string> vae_to_diffusers(std::string_view ldm, int levels);
std::optional<std::string> vae_to_ldm(std::string_view diffusers, int levels);

/// How a tensor of an original checkpoint becomes the canonical ones.
enum class NameTransform {
  none,
  split_rows,  ///< several names, each with an equal share of the rows: q, k, v
  transpose,   ///< stored as [in, out]
  dropped,     ///< no counterpart: logit_scale, PixArt's position table and empty caption
};
struct NameMapping {
  NameTransform transform = NameTransform::none;
  std::vector<std::string> names;
};
/// OpenCLIP name (without prefix) to transformers names.
std::optional<NameMapping> openclip_to_hf(std::string_view name);
/// Transformers name to where OpenCLIP keeps it.
struct OpenClipSource {
  std::string name;
  NameTransform transform = NameTransform::none;
  int slice = 0;  ///< 0 q, 1 k, 2 v where split_rows
};
std::optional<OpenClipSource> hf_to_openclip(std::string_view name);

/// Does this tensor name tell an original PixArt checkpoint?
bool is_original_pixart(std::string_view name);
/// Name in an original PixArt checkpoint to diffusers names.
std::optional<NameMapping> pixart_to_diffusers(std::string_view name);

/// Which names an adapter's UNet modules get in kohya files: LDM paths (SDXL) or diffusers paths
/// (SD 1.5; one text encoder with prefix lora_te_).
enum class KohyaStyle { sdxl, sd15 };

}  // namespace mantissa
