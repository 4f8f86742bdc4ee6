#pragma once
// Names of ERNIE-Image's files: its authors, ComfyUI and diffusers have the same.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/model_names.h"
#include "engine/io/target_kind.h"
#include "engine/io/wide_module.h"

namespace mantissa {

/// Present in every ERNIE-Image transformer, and in no other supported model.
inline constexpr std::string_view kErnieImageMark = "layers.0.adaLN_sa_ln.weight";
/// Before its names in a single file; files of the transformer alone may go without.
inline constexpr std::string_view kErnieImagePrefix = "model.diffusion_model.";

/// A weight by its name in a single file, without prefix. Empty if it isn't ERNIE-Image's.
std::optional<NameMapping> ernie_image_to_diffusers(std::string_view name);
std::optional<OriginalTensor> ernie_image_to_original(std::string_view name);
/// The path of a module, or the name of a weight. Empty if it isn't ERNIE-Image's.
std::optional<std::string> ernie_image_path(std::string_view path);

inline constexpr std::array kErnieImageTargets{
    TargetRow{"layers.*.self_attention.*", TargetKind::attention},
    TargetRow{"layers.*.mlp.*", TargetKind::mlp},
};

inline constexpr std::array kErnieImageWide{
    WideModule{"x_embedder.proj", kModelEntry},  WideModule{"final_linear", kModelExit},
    WideModule{"text_proj", kTextEntry},         WideModule{"time_embedding.*", kTimestep},
    WideModule{"adaLN_modulation.1", kTimestep}, WideModule{"final_norm.linear", kTimestep},
};

}  // namespace mantissa
