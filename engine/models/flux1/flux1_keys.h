#pragma once
// Names of FLUX.1's original files, which ComfyUI reads, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every FLUX.1 transformer in diffusers' naming, and in no other supported model: later
/// ones share their modulations.
inline constexpr std::string_view kFlux1Mark = "single_transformer_blocks.0.norm.linear.weight";
/// Present in every one in its authors' naming, without prefix.
inline constexpr std::string_view kFlux1OriginalMark = "single_blocks.0.modulation.lin.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kFlux1Prefix = "model.diffusion_model.";
/// Present in models that take a guidance scale: dev, not schnell.
inline constexpr const char* kFlux1Guidance = "time_text_embed.guidance_embedder.linear_1.weight";

/// From a name in an original checkpoint, without prefix, to diffusers names. Names of diffusers
/// are not taken.
std::optional<NameMapping> flux1_to_diffusers(std::string_view name);
/// The tensor of an original checkpoint that holds this weight, without prefix; q, k and v are
/// shares of one, in single blocks with the feed-forward's entry. Empty if it isn't FLUX.1's.
std::optional<OriginalTensor> flux1_to_original(std::string_view name);
/// The path of a module in an original checkpoint. Empty for those that are fused there, and for
/// the modulation of the exit, whose halves are exchanged (swapped_module).
std::optional<std::string> flux1_original_path(std::string_view path);

/// Whether a weight, in diffusers naming, is of the layers that make FLUX.1's modulations, which
/// models of its blocks alone lack.
bool makes_flux1_modulations(std::string_view name);

inline constexpr std::array kFlux1Targets{
    TargetRow{"*transformer_blocks.*.attn.*", TargetKind::attention},
    TargetRow{"transformer_blocks.*.ff.*", TargetKind::mlp},
    TargetRow{"transformer_blocks.*.ff_context.*", TargetKind::mlp},
    TargetRow{"single_transformer_blocks.*.proj_mlp", TargetKind::mlp},
    TargetRow{"single_transformer_blocks.*.proj_out", TargetKind::mlp},
};

inline constexpr std::array kFlux1Wide{
    WideModule{"x_embedder", kModelEntry},      WideModule{"proj_out", kModelExit},
    WideModule{"context_embedder", kTextEntry}, WideModule{"time_text_embed.*", kTimestep},
    WideModule{"norm_out.linear", kTimestep},
};

}  // namespace mantissa
