#pragma once
// Names of Chroma's original files, which ComfyUI reads, mapped to those of diffusers. Its blocks
// have FLUX.1's names.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every Chroma transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kChromaMark = "distilled_guidance_layer.layers.0.linear_1.weight";
/// Present in every one in its authors' naming, without prefix. The entry tells Chroma Radiance
/// apart, which has no latents.
inline constexpr std::string_view kChromaOriginalMark =
    "distilled_guidance_layer.layers.0.in_layer.weight";
inline constexpr std::string_view kChromaOriginalEntry = "img_in.weight";
/// What makes the modulations.
inline constexpr std::string_view kChromaApproximator = "distilled_guidance_layer";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> chroma_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, as flux1_to_original.
std::optional<OriginalTensor> chroma_to_original(std::string_view name);
/// The path of a module in an original checkpoint. Empty for those that are fused there.
std::optional<std::string> chroma_original_path(std::string_view path);

/// Trained together with the others, it would unlearn what all blocks rely on.
inline constexpr std::array<std::string_view, 1> kChromaFrozen{"distilled_guidance_layer.*"};

inline constexpr std::array kChromaWide{
    WideModule{"x_embedder", kModelEntry},
    WideModule{"proj_out", kModelExit},
    WideModule{"context_embedder", kTextEntry},
    WideModule{"distilled_guidance_layer.*", kTimestep},
};

}  // namespace mantissa
