#pragma once

#include "engine/io/image.h"

namespace mantissa {

/// Pillow's filters: cubic with a = -0.5, and Lanczos with three lobes.
enum class PillowFilter { bicubic, lanczos };

/// The image scaled to `width` x `height` to the bytes of Pillow: when shrinking, the filter widens
/// by the factor; fixed-point weights of 22 bits, and 8 bits between its two passes, of which the
/// first is across.
Image pillow_resize(const Image& image, int width, int height, PillowFilter filter);

}  // namespace mantissa
