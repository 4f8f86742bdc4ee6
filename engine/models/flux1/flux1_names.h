#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What FLUX.1's files call their tensors.
extern const TransformerNaming kFlux1Naming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kFlux1ClipPrefix = "text_encoders.clip_l.transformer.";
inline constexpr std::string_view kFlux1T5Prefix = "text_encoders.t5xxl.transformer.";

}  // namespace mantissa
