#pragma once
// Scaling and rotating of images, in floats.

#include <vector>

#include "engine/io/image.h"

namespace mantissa {

/// A part of an image after scaling: its place and size in pixels of the scaled image.
struct ScaledPart {
  int scaled_width = 0, scaled_height = 0;  ///< of the whole image
  int left = 0, top = 0, width = 0, height = 0;
};

/// The part of the scaled image, [height, width, 3], from 0 to 255 with the kernel's overshoot:
/// Lanczos with three lobes; when shrinking, the kernel widens by the factor, so nothing aliases.
/// Throws Error if it lies outside.
std::vector<float> resample(const Image& image, const ScaledPart& part);

/// Scales to `scaled_width` x `scaled_height` (Lanczos3), then crops `width` x `height` at (left,
/// top). Throws Error if the crop lies outside.
Image resize_crop(const Image& image, int scaled_width, int scaled_height, int left, int top,
                  int width, int height);

/// As resize_crop, with the part turned about its centre, so that the image appears rotated
/// counter-clockwise by `degrees`. Two passes, in floats between them: `resample` of what lies
/// below, then the rotation by Lanczos with three lobes in both directions; beyond the image's edge
/// its last pixels count. Throws Error if a corner lies outside the image.
Image rotated_crop(const Image& image, const ScaledPart& part, double degrees);

/// Rounded half up, and cut to 0 … 255.
std::vector<std::uint8_t> to_bytes(const std::vector<float>& values);

}  // namespace mantissa
