#pragma once

#include "engine/io/image.h"

namespace mantissa {

/// The image scaled to `width` x `height` by Pillow's bicubic filter (a = -0.5; when shrinking, it
/// widens by the factor): fixed-point weights of 22 bits, and 8 bits between its two passes.
Image bicubic(const Image& image, int width, int height);

}  // namespace mantissa
