#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Krea 2's files call their tensors.
extern const TransformerNaming kKrea2Naming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kKrea2TextPrefix = "text_encoders.qwen3vl_4b.transformer.";
inline constexpr std::string_view kKrea2VaePrefix = "vae.";

}  // namespace mantissa
