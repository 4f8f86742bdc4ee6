#pragma once

#include <cstdint>

#include "engine/io/image.h"
#include "engine/models/latent_size.h"

namespace mantissa {

/// The most tokens that krea2_seen_size gives.
inline constexpr std::int64_t kKrea2SeenTokens = 208;

/// Rows and columns of tokens of a reference as Krea 2's text encoder sees it, each a square of
/// `side` pixels: of an image that is scaled down to 384 x 384 pixels of area, if it is larger, and
/// then sized by Qwen3-VL's own rule. So AI Toolkit's `edit` does it, for squares of 32; these
/// bounds go with the side. Throws Error for an image that is too narrow.
LatentSize krea2_seen_size(ImageSize image, int side);

}  // namespace mantissa
