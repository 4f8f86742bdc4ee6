#pragma once
// Names of Anima's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in the transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kAnimaMark = "time_embed.t_embedder.linear_1.weight";
/// Present in the transformer in its authors' naming, without prefix, and in the text conditioner.
inline constexpr std::string_view kAnimaOriginalMark =
    "blocks.0.adaln_modulation_cross_attn.1.weight";
inline constexpr std::string_view kAnimaOriginalTextMark = "llm_adapter.out_proj.weight";
/// Before the transformer's names in its own file, and before those of the text conditioner.
inline constexpr std::string_view kAnimaPrefix = "net.";
inline constexpr std::string_view kAnimaTextPrefix = "net.llm_adapter.";
/// In a file of all parts that ComfyUI saved, these come before the others or in their place.
inline constexpr std::string_view kAnimaOuterPrefix = "model.diffusion_model.";

/// From a name in an original file, without prefix, to diffusers names. Names of diffusers are not
/// taken.
std::optional<NameMapping> anima_to_diffusers(std::string_view name);
/// The mapping of a text conditioner's tensor, whose names are the same in all files.
NameMapping anima_text_weight(std::string_view name);
/// The tensor of an original file that holds this weight of the transformer, without prefix. Empty
/// if it isn't Anima's.
std::optional<OriginalTensor> anima_to_original(std::string_view name);
/// The path of a module of the transformer in an original file.
std::optional<std::string> anima_original_path(std::string_view path);

inline constexpr std::array kAnimaTargets{
    TargetRow{"transformer_blocks.*.attn1.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.attn2.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.ff.*", TargetKind::mlp},
};
inline constexpr std::array kAnimaTextTargets{
    TargetRow{"blocks.*.self_attn.*", TargetKind::attention},
    TargetRow{"blocks.*.cross_attn.*", TargetKind::attention},
    TargetRow{"blocks.*.mlp.*", TargetKind::mlp},
};

inline constexpr std::array kAnimaWide{
    WideModule{"patch_embed.proj", kModelEntry},
    WideModule{"proj_out", kModelExit},
    WideModule{"time_embed.*", kTimestep},
    WideModule{"*norm*.linear_*", kTimestep},
};

}  // namespace mantissa
