#pragma once
// Names of FLUX.3's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every FLUX.3 transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kFlux3Mark = "early_stream_modulations.image.linear.weight";
/// Present in every one in its authors' naming, without prefix.
inline constexpr std::string_view kFlux3OriginalMark = "early_stream_modulations.image.lin.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kFlux3Prefix = "model.diffusion_model.";
/// Present in a flow map alone, which is distilled.
inline constexpr std::string_view kFlux3Target = "target_timestep_embedder.linear_1.weight";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> flux3_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, without prefix. Empty if it isn't
/// FLUX.3's.
std::optional<OriginalTensor> flux3_to_original(std::string_view name);
/// The path of a module in an original checkpoint. Empty for the modulation of the exit, whose
/// halves are exchanged (swapped_module).
std::optional<std::string> flux3_original_path(std::string_view path);

inline constexpr std::array kFlux3Targets{
    TargetRow{"*mode_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"*mode_blocks.*.ff.*", TargetKind::mlp},
    TargetRow{"single_transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"single_transformer_blocks.*.ff.*", TargetKind::mlp},
};

inline constexpr std::array kFlux3Wide{
    WideModule{"x_embedders.*", kModelEntry},       WideModule{"proj_out", kModelExit},
    WideModule{"context_embedder", kTextEntry},     WideModule{"*timestep_embedder.*", kTimestep},
    WideModule{"*_stream_modulations*", kTimestep}, WideModule{"norm_out.linear", kTimestep},
};

}  // namespace mantissa
