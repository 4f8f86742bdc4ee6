#pragma once
// Names of Krea 2's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every Krea 2 transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kKrea2Mark = "text_fusion.projector.weight";
/// Present in every one in its authors' naming, without prefix.
inline constexpr std::string_view kKrea2OriginalMark = "txtfusion.projector.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kKrea2Prefix = "model.diffusion_model.";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> krea2_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, without prefix. Empty if it isn't
/// Krea 2's.
std::optional<OriginalTensor> krea2_to_original(std::string_view name);
/// The path of a module in an original checkpoint.
std::optional<std::string> krea2_original_path(std::string_view path);

inline constexpr std::array kKrea2Targets{
    TargetRow{"transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.ff.*", TargetKind::mlp},
};

inline constexpr std::array kKrea2Wide{
    WideModule{"img_in", kModelEntry},     WideModule{"final_layer.linear", kModelExit},
    WideModule{"time_embed.*", kTimestep}, WideModule{"time_mod_proj", kTimestep},
    WideModule{"txt_in.*", kTextEntry},    WideModule{"text_fusion.projector", kTextEntry},
};

}  // namespace mantissa
