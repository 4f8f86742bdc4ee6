#pragma once
// Names of a CLIP text encoder's weights: those of OpenCLIP, and of transformers' versions, mapped
// to the canonical ones.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"

namespace mantissa {

/// From an OpenCLIP name (without prefix) to transformers names.
std::optional<NameMapping> openclip_to_hf(std::string_view name);
/// From a transformers name to its OpenCLIP tensor.
std::optional<OriginalTensor> hf_to_openclip(std::string_view name);

/// The canonical form of a transformers name; empty if it isn't a CLIP text encoder's.
std::optional<std::string> clip_name(std::string_view name);

inline constexpr std::array kClipTargets{
    TargetRow{"*.self_attn.q_proj", TargetKind::attention},
    TargetRow{"*.self_attn.k_proj", TargetKind::attention},
    TargetRow{"*.self_attn.v_proj", TargetKind::attention},
    TargetRow{"*.self_attn.out_proj", TargetKind::attention},
    TargetRow{"*.mlp.fc1", TargetKind::mlp},
    TargetRow{"*.mlp.fc2", TargetKind::mlp},
};

}  // namespace mantissa
