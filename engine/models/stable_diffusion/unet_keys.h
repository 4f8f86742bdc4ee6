#pragma once
// Names of a UNet's weights and modules: those of the original checkpoints (LDM), which number all
// blocks, mapped to those of diffusers.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Parameters of the LDM numbering of UNet blocks; one entry per level, outermost first.
struct UnetLayout {
  std::vector<int> layers;  ///< residual blocks of the level's down half (the up half has one more)
  std::vector<bool> attention;  ///< whether the level has transformers
  bool operator==(const UnetLayout&) const = default;
};

/// Reads the layout from LDM names without prefix, or from diffusers names.
UnetLayout unet_layout_from_ldm(std::span<const std::string> names);
UnetLayout unet_layout_from_diffusers(std::span<const std::string> names);

/// UNet names of tensors or of modules, without prefix. Empty if the name belongs to no UNet of
/// this layout. Rule: any number of levels; level b starts where the downsampler of b-1 ended.
std::optional<std::string> unet_to_diffusers(std::string_view ldm, const UnetLayout& layout);
std::optional<std::string> unet_to_ldm(std::string_view diffusers, const UnetLayout& layout);

inline constexpr std::array kUnetTargets{
    TargetRow{"*.attentions.*.to_q", TargetKind::attention},
    TargetRow{"*.attentions.*.to_k", TargetKind::attention},
    TargetRow{"*.attentions.*.to_v", TargetKind::attention},
    TargetRow{"*.attentions.*.to_out.0", TargetKind::attention},
    TargetRow{"*.attentions.*", TargetKind::mlp},
    TargetRow{"*.resnets.*", TargetKind::residual},
    TargetRow{"*.downsamplers.*", TargetKind::residual},
    TargetRow{"*.upsamplers.*", TargetKind::residual},
};

inline constexpr std::array kUnetWide{
    WideModule{"conv_in", kModelEntry},
    WideModule{"conv_out", kModelExit},
    // What a stack of transformer blocks adds to the image's features passes through it.
    WideModule{"*attentions.*.proj_out", &message_template<"an attention block's exit">},
    WideModule{"time_embedding.*", kTimestep},
    WideModule{"add_embedding.*", &message_template<"size conditioning">},
    WideModule{"*.time_emb_proj", kTimestep},
};

}  // namespace mantissa
