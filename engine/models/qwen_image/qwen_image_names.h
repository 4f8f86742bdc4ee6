#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Qwen-Image's files call their tensors.
extern const TransformerNaming kQwenImageNaming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kQwenImageTextPrefix = "text_encoders.qwen25_7b.transformer.";
inline constexpr std::string_view kQwenImageVaePrefix = "vae.";

}  // namespace mantissa
