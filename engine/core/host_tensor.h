#pragma once

#include <vector>

#include "kernels/view.h"

namespace mantissa {

/// An FP32 tensor that owns its memory, for data read from or written to disk. Row-major.
struct HostTensor {
  Shape shape;
  std::vector<float> data;  ///< shape.count() elements

  View view() { return {data.data(), DType::f32, shape}; }
};

}  // namespace mantissa
