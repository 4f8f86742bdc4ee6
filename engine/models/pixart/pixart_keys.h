#pragma once
// Names of the original PixArt-alpha and PixArt-Sigma checkpoints, mapped to those of diffusers.

#include <array>
#include <optional>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Names present in every PixArt transformer in diffusers' naming, and in no other supported model.
inline constexpr std::string_view kPixartMark = "adaln_single.linear.weight";

/// Whether this tensor name identifies an original PixArt checkpoint.
bool is_original_pixart(std::string_view name);
/// From a name in an original PixArt checkpoint to diffusers names.
std::optional<NameMapping> pixart_to_diffusers(std::string_view name);

inline constexpr std::array kPixartTargets{
    TargetRow{"transformer_blocks.*.to_q", TargetKind::attention},
    TargetRow{"transformer_blocks.*.to_k", TargetKind::attention},
    TargetRow{"transformer_blocks.*.to_v", TargetKind::attention},
    TargetRow{"transformer_blocks.*.to_out.0", TargetKind::attention},
    TargetRow{"transformer_blocks.*", TargetKind::mlp},
};

inline constexpr std::array kPixartWide{
    WideModule{"pos_embed.proj", kModelEntry},
    WideModule{"proj_out", kModelExit},
    WideModule{"adaln_single.*", kTimestep},
    WideModule{"caption_projection.*", kTextEntry},
};

}  // namespace mantissa
