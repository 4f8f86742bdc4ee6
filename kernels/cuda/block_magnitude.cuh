#pragma once
// What block formats take from a value for the scale of its block.
#include <cmath>

namespace mantissa::cuda {

/// |x|, NaN unless it is finite: NaN becomes the scale.
__device__ inline float magnitude_or_nan(float x) {
  const float a = std::fabs(x);
  return a <= 3.402823466e+38F ? a : a - a;
}

}  // namespace mantissa::cuda
