#pragma once
// An image as taggers take it.

#include <vector>

#include "engine/io/image.h"

namespace mantissa {

/// The image on a white square of its longer side, in the middle (half a pixel to the left and up),
/// scaled to `side` x `side` (bicubic, pillow_resize.h).
Image square_image(const Image& image, int side);

/// How values enter a network.
struct ImageInput {
  float mean[3] = {0.5F, 0.5F, 0.5F}, deviation[3] = {0.5F, 0.5F, 0.5F};
  bool blue_first = true;  ///< WD taggers were trained on BGR
};
/// [height, width, 3]: (value / 255 - mean) / deviation.
std::vector<float> tagger_input(const Image& image, const ImageInput& input);

}  // namespace mantissa
