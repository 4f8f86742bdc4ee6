#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Qwen-Image-2.1's files call their tensors.
extern const TransformerNaming kQwenImage21Naming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kQwenImage21TextPrefix = "text_encoders.qwen3vl_8b.transformer.";
inline constexpr std::string_view kQwenImage21VaePrefix = "vae.";

}  // namespace mantissa
