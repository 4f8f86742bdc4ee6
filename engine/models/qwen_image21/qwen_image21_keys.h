#pragma once
// Names of Qwen-Image-2.1's single files, which ComfyUI reads: those of diffusers, but for a
// feed-forward's gate and entry, which are one tensor.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every Qwen-Image-2.1 transformer in diffusers' naming, and in no other supported
/// model.
inline constexpr std::string_view kQwenImage21Mark =
    "transformer_blocks.0.img_mlp.gate_layer.weight";
/// Present in every one in ComfyUI's naming, without prefix.
inline constexpr std::string_view kQwenImage21OriginalMark = "txt_in.text_norm.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kQwenImage21Prefix = "model.diffusion_model.";

/// From a name in a single file, without prefix, to diffusers names; also from the latter.
std::optional<NameMapping> qwen_image21_to_diffusers(std::string_view name);
/// The tensor of a single file that holds this weight, without prefix. Empty if it isn't
/// Qwen-Image-2.1's.
std::optional<OriginalTensor> qwen_image21_to_original(std::string_view name);
/// The path of a module in a single file. Empty for those that are fused there.
std::optional<std::string> qwen_image21_original_path(std::string_view path);

inline constexpr std::array kQwenImage21Targets{
    TargetRow{"transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.img_mlp.*", TargetKind::mlp},
};

inline constexpr std::array kQwenImage21Wide{
    WideModule{"img_in", kModelEntry},     WideModule{"proj_out", kModelExit},
    WideModule{"txt_in.*", kTextEntry},    WideModule{"time_text_embed.*", kTimestep},
    WideModule{"modulation.*", kTimestep}, WideModule{"norm_out.linear", kTimestep},
};

}  // namespace mantissa
