#pragma once
// Names of FLUX.2's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every FLUX.2 transformer in diffusers' naming, and in no other supported model:
/// FLUX.1 has a modulation in each block.
inline constexpr std::string_view kFlux2Mark = "single_stream_modulation.linear.weight";
/// Present in every one in its authors' naming, without prefix.
inline constexpr std::string_view kFlux2OriginalMark = "single_stream_modulation.lin.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kFlux2Prefix = "model.diffusion_model.";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> flux2_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, without prefix; q, k and v of a
/// double block are thirds of one. Empty if it isn't FLUX.2's.
std::optional<OriginalTensor> flux2_to_original(std::string_view name);
/// The path of a module in an original checkpoint. Empty for q, k and v of double blocks, which are
/// one there, and for the modulation of the exit, whose halves are exchanged (swapped_module).
std::optional<std::string> flux2_original_path(std::string_view path);

inline constexpr std::array kFlux2Targets{
    TargetRow{"*transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.ff.*", TargetKind::mlp},
    TargetRow{"transformer_blocks.*.ff_context.*", TargetKind::mlp},
};

inline constexpr std::array kFlux2Wide{
    WideModule{"x_embedder", kModelEntry},         WideModule{"proj_out", kModelExit},
    WideModule{"context_embedder", kTextEntry},    WideModule{"time_guidance_embed.*", kTimestep},
    WideModule{"*_stream_modulation*", kTimestep}, WideModule{"norm_out.linear", kTimestep},
};

}  // namespace mantissa
