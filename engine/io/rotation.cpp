#include "engine/io/rotation.h"

#include <cstddef>

namespace mantissa {

void rotate_groups(std::span<float> values, int group) {
  const auto size = static_cast<std::size_t>(group);
  for (std::size_t stride = 1; stride < size; stride *= 4) {
    // Factor by factor of the product: four values `stride` apart.
    for (std::size_t begin = 0; begin < values.size(); begin += 4 * stride) {
      for (std::size_t i = begin; i < begin + stride; ++i) {
        float& a = values[i];
        float& b = values[i + stride];
        float& c = values[i + 2 * stride];
        float& d = values[i + 3 * stride];
        const float half = (a + b + c + d) / 2;
        const float first = half - d, second = half - c, third = half - b, fourth = half - a;
        a = first;
        b = second;
        c = third;
        d = fourth;
      }
    }
  }
}

}  // namespace mantissa
