#pragma once

#include <cstdint>

#include "engine/models/transformer_names.h"

namespace mantissa {

/// What FLUX.2's files call their tensors.
extern const TransformerNaming kFlux2Naming;

/// Prefixes of ComfyUI's files that hold every part: klein 4B's encoder, and klein 9B's.
inline constexpr std::string_view kFlux2TextPrefix = "text_encoders.qwen3_4b.transformer.";
inline constexpr std::string_view kFlux2LargeTextPrefix = "text_encoders.qwen3_8b.transformer.";
/// Hidden width of Qwen3-8B, klein 9B's encoder.
inline constexpr std::int64_t kFlux2LargeTextWidth = 4096;

}  // namespace mantissa
