#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What ERNIE-Image's files call their tensors.
extern const TransformerNaming kErnieImageNaming;

/// Prefixes of ComfyUI's files that hold every part.
inline constexpr std::string_view kErnieImageTextPrefix =
    "text_encoders.ministral3_3b.transformer.";
inline constexpr std::string_view kErnieImageVaePrefix = "vae.";

}  // namespace mantissa
