#include "engine/models/krea2/krea2_seen_size.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"

namespace mantissa {
namespace {

/// Tokens of 384 x 384 and of 256 x 256 pixels.
constexpr int kMostSquares = 144, kLeastSquares = 64;
/// 28 pixels in 32.
constexpr int kLeastEighths = 7;

}  // namespace

LatentSize krea2_seen_size(ImageSize image, int side) {
  const double area = static_cast<double>(image.width) * image.height;
  const double scale =
      std::min(1.0, std::sqrt(kMostSquares * static_cast<double>(side * side) / area));
  const auto scaled = [&](int pixels) {  // halves to even
    return std::max(static_cast<int>(std::nearbyint(pixels * scale)), side * kLeastEighths / 8);
  };
  const auto size = qwen3_image_size({scaled(image.width), scaled(image.height)}, side,
                                     {.least = std::int64_t{kLeastSquares} * side * side});
  if (!size) {
    throw Error(message<"a reference of {width}x{height} pixels is too narrow to be shown to the "
                        "text encoder">(image.width, image.height));
  }
  return {size->height / side, size->width / side};
}

}  // namespace mantissa
