#pragma once

#include <array>
#include <string_view>

#include "engine/io/model_variant.h"

namespace mantissa {

class WeightSource;

/// Variants that edit with references, the newest first.
inline constexpr std::array<std::string_view, 3> kQwenImageEdits{"Edit 2511", "Edit 2509", "Edit"};
/// Its field in transformer/config.json, true in Edit-2511 alone.
inline constexpr const char* kQwenImageStill = "zero_cond_t";

/// An empty tensor by which ComfyUI tells Edit-2511, whatever a file is called. In the authors'
/// naming it is no weight.
inline constexpr const char* kQwenImageEditTensor = "__index_timestep_zero__";
bool has_qwen_image_edit_tensor(const WeightSource& source);

/// 2512 and the first model have the same network, and neither is distilled. Lightning, which its
/// name tells, is Qwen-Image with an adapter for a few steps merged into it. Models that edit are
/// told by their pipeline, Edit-2511 by its config or a tensor too, else by their name.
ModelVariant qwen_image_variant(const WeightSource& source);

/// Diffusers' class for a model that edits; empty for others.
std::string_view qwen_image_edit_pipeline(const WeightSource& source);

/// Family::references_unread: of a model that is told to draw from text alone.
Message qwen_image_unread(const WeightSource& source);

}  // namespace mantissa
