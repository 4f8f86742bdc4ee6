#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Z-Image's files call their tensors.
extern const TransformerNaming kZImageNaming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kZImageTextPrefix = "text_encoders.qwen3_4b.transformer.";
inline constexpr std::string_view kZImageVaePrefix = "vae.";

}  // namespace mantissa
