#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What FLUX.3's files call their tensors.
extern const TransformerNaming kFlux3Naming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kFlux3TextPrefix = "text_encoders.qwen3vl_4b.transformer.";
inline constexpr std::string_view kFlux3VaePrefix = "vae.";

}  // namespace mantissa
