#pragma once

#include <cstdint>

#include "engine/graph/graph.h"

namespace mantissa {

/// Throws Error naming `transformer` unless latents are [batch, height, width, latent channels],
/// with sides of whole patches, and text is [batch, tokens, text channels] of as many samples.
void check_transformer_inputs(const char* transformer, Value latents, Value text,
                              std::int64_t latent_channels, std::int64_t text_channels,
                              std::int64_t patch = 1);

}  // namespace mantissa
