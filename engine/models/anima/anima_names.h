#pragma once

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What Anima's files call their tensors.
extern const TransformerNaming kAnimaNaming;

/// Prefixes of files that hold every part: as ComfyUI saves them, and as others do.
inline constexpr std::string_view kAnimaQwenPrefix = "cond_stage_model.qwen3_06b.transformer.";
inline constexpr std::string_view kAnimaOtherQwenPrefix = "text_encoders.qwen3_06b.transformer.";
inline constexpr std::string_view kAnimaVaePrefix = "first_stage_model.";
inline constexpr std::string_view kAnimaOtherVaePrefix = "vae.";

}  // namespace mantissa
