#pragma once
// Names of Qwen-Image's files: its authors, ComfyUI and diffusers have the same.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every Qwen-Image transformer, and in no other supported model.
inline constexpr std::string_view kQwenImageMark = "transformer_blocks.0.img_mod.1.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kQwenImagePrefix = "model.diffusion_model.";

/// A weight by its name in a single file, without prefix. Empty if it isn't Qwen-Image's.
std::optional<NameMapping> qwen_image_to_diffusers(std::string_view name);
std::optional<OriginalTensor> qwen_image_to_original(std::string_view name);
/// The path of a module, or the name of a weight. Empty if it isn't Qwen-Image's.
std::optional<std::string> qwen_image_path(std::string_view path);

inline constexpr std::array kQwenImageTargets{
    TargetRow{"transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.img_mlp.*", TargetKind::mlp},
    TargetRow{"transformer_blocks.*.txt_mlp.*", TargetKind::mlp},
};

inline constexpr std::array kQwenImageWide{
    WideModule{"img_in", kModelEntry},        WideModule{"proj_out", kModelExit},
    WideModule{"txt_in", kTextEntry},         WideModule{"time_text_embed.*", kTimestep},
    WideModule{"norm_out.linear", kTimestep},
};

}  // namespace mantissa
