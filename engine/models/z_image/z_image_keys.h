#pragma once
// Names of Z-Image's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every Z-Image transformer in diffusers' naming, and in no other supported model. The
/// numbers are the sides of a patch and its frames, the same in every released model.
inline constexpr std::string_view kZImageMark = "all_x_embedder.2-1.weight";
/// Present in every one in its authors' naming, without prefix. Lumina 2, whose network this one
/// descends from, has the other names, but no padding tokens.
inline constexpr std::string_view kZImageOriginalMark = "cap_pad_token";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kZImagePrefix = "model.diffusion_model.";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> z_image_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, without prefix; q, k and v are
/// thirds of one. Empty if it isn't Z-Image's.
std::optional<OriginalTensor> z_image_to_original(std::string_view name);
/// The path of a module in an original checkpoint; empty for q, k and v, which are one there.
std::optional<std::string> z_image_original_path(std::string_view path);

inline constexpr std::array kZImageTargets{
    TargetRow{"*.attention.*", TargetKind::attention},
    TargetRow{"*.feed_forward.*", TargetKind::mlp},
    TargetRow{"*layers.*.adaLN_modulation.0", TargetKind::mlp},
    TargetRow{"noise_refiner.*.adaLN_modulation.0", TargetKind::mlp},
};

inline constexpr std::array kZImageWide{
    WideModule{"all_x_embedder.*", kModelEntry}, WideModule{"all_final_layer.*", kModelExit},
    WideModule{"t_embedder.*", kTimestep},       WideModule{"*adaLN_modulation.*", kTimestep},
    WideModule{"cap_embedder.*", kTextEntry},
};

}  // namespace mantissa
